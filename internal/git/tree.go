package git

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
)

// maxTrees bounds the trees that are read without git for one answer.
const maxTrees = 2000

// treeWalk reads the trees of a repository, as far as they lie in files of their own.
type treeWalk struct {
	repo *Repo
	left int
}

// root returns the tree of a commit, or a tree's own name.
func (w *treeWalk) root(id string) (string, bool) {
	if m, ok := w.repo.commitOf(id); ok {
		return m.tree, true
	}
	_, ok := w.repo.object(id, "tree")
	return id, ok
}

const folderMode = "040000"

// modes are those of a sound tree, as git prints them.
var modes = map[string]string{"100644": "100644", "100755": "100755", "120000": "120000", "40000": folderMode, SubmoduleMode: SubmoduleMode}

// entries returns those of one tree by their names. A tree that git did not write, out
// of order or with other modes, is left to git.
func (w *treeWalk) entries(id string) (all []File, ok bool) {
	if id == "" {
		return nil, true
	}
	if w.left--; w.left < 0 {
		return nil, false
	}
	body, ok := w.repo.object(id, "tree")
	if !ok {
		return nil, false
	}
	size, before := len(id)/2, ""
	for len(body) > 0 {
		head, rest, ok := bytes.Cut(body, []byte{0})
		mode, name, named := strings.Cut(string(head), " ")
		if !ok || !named || len(rest) < size || modes[mode] == "" || name == "" || strings.Contains(name, "/") {
			return nil, false
		}
		f := File{Path: name, Mode: modes[mode], ID: hex.EncodeToString(rest[:size])}
		if key := sortKey(f); key <= before {
			return nil, false
		} else {
			before = key
		}
		all, body = append(all, f), rest[size:]
	}
	return all, true
}

// sortKey is what git orders the entries of a tree by.
func sortKey(f File) string {
	if f.Mode == folderMode {
		return f.Path + "/"
	}
	return f.Path
}

// files appends the files below a tree, in the order of their paths.
func (w *treeWalk) files(all []File, dir, id string) ([]File, bool) {
	entries, ok := w.entries(id)
	for _, f := range entries {
		if f.Path = dir + f.Path; f.Mode != folderMode {
			all = append(all, f)
		} else if all, ok = w.files(all, f.Path+"/", f.ID); !ok {
			return nil, false
		}
	}
	return all, ok
}

// changes appends what differs between two trees; "" is a tree without entries.
func (w *treeWalk) changes(all []Change, dir, base, head string) ([]Change, bool) {
	if base == head {
		return all, true
	}
	before, ok1 := w.entries(base)
	after, ok2 := w.entries(head)
	if !ok1 || !ok2 {
		return nil, false
	}
	was := map[string]File{}
	for _, f := range before {
		was[sortKey(f)] = f
	}
	var ok bool
	for _, f := range after {
		old := was[sortKey(f)]
		delete(was, sortKey(f))
		if old.ID == f.ID && old.Mode == f.Mode {
			continue
		}
		path := dir + f.Path
		switch {
		case f.Mode == folderMode:
			if all, ok = w.changes(all, path+"/", old.ID, f.ID); !ok {
				return nil, false
			}
		case old.ID == "":
			all = append(all, Change{"A", path})
		case old.Mode[:3] != f.Mode[:3]:
			all = append(all, Change{"T", path})
		default:
			all = append(all, Change{"M", path})
		}
	}
	for _, f := range was {
		if f.Mode != folderMode {
			all = append(all, Change{"D", dir + f.Path})
		} else if all, ok = w.changes(all, dir+f.Path+"/", f.ID, ""); !ok {
			return nil, false
		}
	}
	return all, true
}

// looseFiles is ListTree without git.
func (r *Repo) looseFiles(commit string) ([]File, bool) {
	w := &treeWalk{repo: r, left: maxTrees}
	root, ok := w.root(commit)
	if !ok {
		return nil, false
	}
	return w.files(nil, "", root)
}

// looseChanges is ChangedFiles without git.
func (r *Repo) looseChanges(base, head string) ([]Change, bool) {
	w := &treeWalk{repo: r, left: maxTrees}
	from, ok1 := w.root(base)
	to, ok2 := w.root(head)
	if !ok1 || !ok2 {
		return nil, false
	}
	all, ok := w.changes(nil, "", from, to)
	slices.SortFunc(all, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return all, ok
}

// looseFile is the content of a file of a commit.
func (r *Repo) looseFile(commit, path string) ([]byte, bool) {
	w := &treeWalk{repo: r, left: maxTrees}
	id, ok := w.root(commit)
	mode := folderMode
	for name := range strings.SplitSeq(path, "/") {
		var entries []File
		if ok && mode == folderMode {
			entries, ok = w.entries(id)
		}
		i := slices.IndexFunc(entries, func(f File) bool { return f.Path == name })
		if !ok || i < 0 {
			return nil, false
		}
		id, mode = entries[i].ID, entries[i].Mode
	}
	return r.object(id, "blob")
}
