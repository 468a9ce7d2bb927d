package room

import "path/filepath"

// mostWatched is how many files a room can watch: below the smallest usual limit of
// the kernel, and less than the events that it keeps.
const mostWatched = 4096

// watched are the absolute paths of Watch.
func (s Spec) watched() []string {
	if s.Tree == "" {
		return nil
	}
	out := make([]string, len(s.Watch))
	for i, name := range s.Watch {
		out[i] = filepath.Join(s.Tree, filepath.FromSlash(name))
	}
	return out
}
