package engine

import (
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/kept"
	"ralph/internal/loop"
)

// Changed returns the files of a loop's evidence that are missing or are not as they
// were recorded, as paths in its directory. The directory may have moved since.
func (l Layout) Changed(s loop.State) []string {
	var out []string
	for _, e := range s.Evidence() {
		file := l.inside(e.File)
		if slices.Contains(out, file) || kept.Same(filepath.Join(l.Dir, filepath.FromSlash(file)), e.SHA256) {
			continue
		}
		out = append(out, file)
	}
	return out
}

// inside is the path of a recorded file in the directory of its loop.
func (l Layout) inside(file string) string {
	file = filepath.ToSlash(file)
	if i := strings.LastIndex(file, "/attempts/"); i >= 0 {
		return file[i+1:]
	}
	return file
}
