package migrate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Bounds of one file, and of the loops of one folder.
const (
	mostBytes = 8 << 20
	mostLoops = 10_000
)

// read returns the content of a regular file. An unreadable file is a problem,
// an absent one is not.
func (l *looking) read(name string) ([]byte, bool) {
	data, err := content(l.fs, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false
	case err != nil:
		l.problem(&Error{Path: name, Why: reasonOf(err)})
		return nil, false
	}
	return data, true
}

// content checks the file type before it opens: a pipe could block forever.
func content(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > mostBytes:
		return nil, errTooLarge
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if len(data) > mostBytes {
		return nil, errTooLarge
	}
	return data, err
}

var errTooLarge = fmt.Errorf("is larger than %d MiB", mostBytes>>20)

// reasonOf returns an error without the path, which the message has already.
// Links out of the tree are not followed; the file system prevents it.
func reasonOf(err error) string {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err.Error()
	}
	if strings.Contains(p.Err.Error(), "escapes") {
		return "is a link that leads out of the tree, and is not followed"
	}
	return p.Err.Error()
}

// entries are the names in a folder, sorted, at most as many as there may be
// loops. A folder that is not there has none.
func (l *looking) entries(dir string) []fs.DirEntry {
	f, err := l.fs.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var list []fs.DirEntry
	if err == nil {
		defer f.Close()
		d, ok := f.(fs.ReadDirFile)
		if !ok {
			err = errors.New("is not a folder")
		} else if list, err = d.ReadDir(mostLoops + 1); errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		l.problem(&Error{Path: dir, Why: reasonOf(err)})
	}
	if len(list) > mostLoops {
		list = list[:mostLoops]
		l.problem(&Error{Path: dir, Why: fmt.Sprintf("holds more than %d entries; the others are not looked at", mostLoops)})
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// stays names what lies beside the loops and is not carried: it stays where it
// is. Empty folders are nothing.
func (l *looking) stays(dir string, lost *losses, names ...string) {
	for _, name := range names {
		info, err := fs.Stat(l.fs, path.Join(dir, name))
		if err != nil {
			continue
		}
		if !info.IsDir() {
			lost.add(name, staysThere)
			continue
		}
		switch n := len(l.entries(path.Join(dir, name))); n {
		case 0:
		case 1:
			lost.add(name+"/", staysThere+" (1 file)")
		default:
			lost.add(name+"/", staysThere+" (%d files)", n)
		}
	}
}
