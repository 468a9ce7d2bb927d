package gate

import (
	"io/fs"
	"time"
)

// stamp shows that a file was written, also where its content and its time of
// modification were put back: nothing sets the time of its last change.
type stamp struct {
	size    int64
	mode    fs.FileMode
	changed time.Time
}

// stamps are those of the files that are there.
func (t *tree) stamps(names []string) map[string]stamp {
	out := make(map[string]stamp, len(names))
	for _, name := range names {
		if info, err := t.root.Lstat(name); err == nil {
			out[name] = stamp{info.Size(), info.Mode(), changedAt(info)}
		}
	}
	return out
}

// changed are the files that no longer have the stamp that they had.
func (t *tree) changed(names []string, had map[string]stamp) (out []string) {
	have := t.stamps(names)
	for _, name := range names {
		if have[name] != had[name] {
			out = append(out, name)
		}
	}
	return out
}
