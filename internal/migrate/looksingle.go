package migrate

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// single reads the one file that an older version kept. A link to a loop's own
// file says which of them old readers mean; a link to a view of ralph's is what
// `ralph migrate --link` leaves behind.
func (l *looking) single(name, loops string, parse parser) {
	info, err := fs.Lstat(l.fs, name)
	if err != nil {
		return
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := fs.ReadLink(l.fs, name)
		if err == nil && !path.IsAbs(target) && l.links(path.Join(path.Dir(name), target)) {
			return
		}
	}
	data, ok := l.read(name)
	if !ok {
		return
	}
	found := l.add(name, data, parse)
	if found == nil {
		return
	}
	at := len(l.seen.Found) - 1
	if twin := slices.IndexFunc(l.seen.Found[:at], func(f Found) bool {
		return f.ID != "" && f.ID == found.ID && strings.HasPrefix(f.Source, loops+"/")
	}); twin >= 0 {
		l.seen.Found[twin].Current = true
		l.seen.Found = l.seen.Found[:at]
		l.lost.add(path.Base(name), "is about the same loop as %s, which counts", l.seen.Found[twin].Source)
		return
	}
	found.Current = true
	l.complete(found, found.ID, &Registry{})
}

// links says that a link was understood.
func (l *looking) links(target string) bool {
	if strings.HasPrefix(target, ".ralph/loops/") {
		return true
	}
	for i, f := range l.seen.Found {
		if f.Source == target {
			l.seen.Found[i].Current = true
			return true
		}
	}
	return false
}
