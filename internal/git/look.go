package git

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// errNoLook is returned where only git can compare a tree with its index.
var errNoLook = errors.New("git must compare the tree with its index")

// sight is what differs between a tree and its index.
type sight struct {
	// wrong are tracked files that are not the ones which git recorded: another inode,
	// size, time of change or of modification, or none. No program can set the time of
	// change.
	wrong []string
	// extra is what no entry stands for, without what is below it.
	extra []extra
}

type extra struct {
	path   string
	folder bool
}

// folder is a folder with tracked files: indexes of entries, sorted by name, and the
// folders in it.
type folder struct {
	path  string
	files []int
	subs  map[string]bool
}

// folders returns all folders with tracked files, the top first.
func (x indexFile) folders() []*folder {
	top := &folder{}
	all, known := []*folder{top}, map[string]*folder{"": top}
	var at func(dir string) *folder
	at = func(dir string) *folder {
		if f := known[dir]; f != nil {
			return f
		}
		up := at(dir[:max(strings.LastIndexByte(dir, '/'), 0)])
		if up.subs == nil {
			up.subs = map[string]bool{}
		}
		up.subs[path.Base(dir)] = true
		f := &folder{path: dir}
		all, known[dir] = append(all, f), f
		return f
	}
	last := top
	for i, e := range x.entries {
		if dir := e.path[:max(strings.LastIndexByte(e.path, '/'), 0)]; dir != last.path {
			last = at(dir)
		}
		last.files = append(last.files, i)
	}
	return all
}

// find returns the place of a name among the files of a folder.
func (x indexFile) find(f *folder, name string) (int, bool) {
	skip := len(f.path)
	if skip > 0 {
		skip++
	}
	return slices.BinarySearchFunc(f.files, name, func(i int, name string) int {
		return strings.Compare(x.entries[i].path[skip:], name)
	})
}

// below returns the tracked files in a folder, "" for the top, and deeper.
func (x indexFile) below(dir string) (paths []string) {
	if dir == "" {
		for _, e := range x.entries {
			paths = append(paths, e.path)
		}
		return paths
	}
	from, _ := slices.BinarySearchFunc(x.entries, dir+"/", func(e indexed, dir string) int { return strings.Compare(e.path, dir) })
	for _, e := range x.entries[from:] {
		if !strings.HasPrefix(e.path, dir+"/") {
			break
		}
		paths = append(paths, e.path)
	}
	return paths
}

func slashed(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
