package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Inventory is what a worktree holds beside the files of its commit: by path, with
// slashes, the state of each file, and inFolder for a folder. A file in the same state was
// not written since: no program can set the time of change.
type Inventory map[string]string

// inFolder stands for a folder. What counts is what is in it.
const inFolder = "folder"

// Bytes are the paths and the states, each ended by a zero byte.
func (v Inventory) Bytes() []byte {
	var b strings.Builder
	for name, state := range v {
		b.WriteString(name + "\x00" + state + "\x00")
	}
	return []byte(b.String())
}

// ParseInventory reads Bytes.
func ParseInventory(data []byte) Inventory {
	v, all := Inventory{}, fields(data)
	for i := 0; i+1 < len(all); i += 2 {
		v[all[i]] = all[i+1]
	}
	return v
}

// Inventory lists the files of a worktree that git ignores, and those in its submodules. It
// is nil where the system does not tell when a file was changed.
func (r *Repo) Inventory(ctx context.Context, tree string) (Inventory, error) {
	if !tellsChange {
		return nil, nil
	}
	p, err := r.linked(tree)
	if err != nil {
		return nil, err
	}
	roots, err := r.IgnoredFiles(ctx, tree)
	if err != nil {
		return nil, err
	}
	h, err := r.head(ctx, p)
	if err != nil {
		return nil, err
	}
	files, err := r.ListTree(ctx, h.Commit)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Mode == SubmoduleMode {
			roots = append(roots, f.Path)
		}
	}
	return inventoryOf(p.tree, roots)
}

// inventoryOf lists files and folders of a tree with all that is in them.
func inventoryOf(tree string, roots []string) (Inventory, error) {
	v, newest := Inventory{}, time.Time{}
	for _, root := range roots {
		for dir := path.Dir(root); dir != "."; dir = path.Dir(dir) {
			v[dir] = inFolder
		}
		err := filepath.WalkDir(filepath.Join(tree, filepath.FromSlash(root)), func(at string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			state, changed, err := stateOf(d)
			if changed.After(newest) {
				newest = changed
			}
			v[filepath.ToSlash(strings.TrimPrefix(at, tree+string(filepath.Separator)))] = state
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("list what is in %s: %w", tree, err)
		}
	}
	// Another write in the tick of the file system's clock would leave the same time.
	const tick = 10 * time.Millisecond
	time.Sleep(min(time.Until(newest.Add(tick)), tick))
	return v, nil
}

func stateOf(d fs.DirEntry) (state string, changed time.Time, err error) {
	if d.IsDir() {
		return inFolder, changed, nil
	}
	info, err := d.Info()
	if err != nil {
		return "", changed, err
	}
	m := mark{info.Size(), info.Mode(), changeTime(info), inode(info)}
	return fmt.Sprintf("%d %o %d %d", m.size, m.mode, m.changed.UnixNano(), m.inode), m.changed, nil
}

// KeepOnly removes from a worktree all that is no file of the commit, ignored files and
// repositories too, except for the inventory. Where any of that is no longer as it was, it
// returns false, and nothing of it is left.
func (r *Repo) KeepOnly(ctx context.Context, tree, commit string, kept Inventory) (all bool, err error) {
	p, err := r.linked(tree)
	if err != nil {
		return false, err
	}
	files, err := r.ListTree(ctx, commit)
	if err != nil {
		return false, err
	}
	s := sieve{tree: p.tree, kept: kept, tracked: map[string]bool{}, folders: map[string]bool{}}
	for _, f := range files {
		if f.Mode == SubmoduleMode {
			s.folders[f.Path] = true
		} else {
			s.tracked[f.Path] = true
		}
		for dir := path.Dir(f.Path); dir != "." && !s.folders[dir]; dir = path.Dir(dir) {
			s.folders[dir] = true
		}
	}
	if err := s.sift(""); err != nil || s.found == len(kept) {
		return err == nil, err
	}
	s.kept = nil
	return false, s.sift("")
}

// sieve separates the files of a commit and those of an inventory from others.
type sieve struct {
	tree             string
	tracked, folders map[string]bool
	kept             Inventory
	found            int // of kept
}

// sift removes from a folder of the tree what the sieve does not hold. It opens no folder
// that holds nothing of that: an agent can nest others without an end.
func (s *sieve) sift(dir string) error {
	entries, err := os.ReadDir(filepath.Join(s.tree, filepath.FromSlash(dir)))
	switch {
	case err != nil && dir == "":
		return err
	case err != nil:
		return sweep(filepath.Join(s.tree, filepath.FromSlash(dir))) // a checkout makes it anew
	}
	for _, e := range entries {
		name := slashed(dir, e.Name())
		was, known := s.kept[name]
		if known = known && s.same(e, was); known {
			s.found++
		}
		switch {
		case name == ".git", s.tracked[name] && !e.IsDir():
		case e.IsDir() && (known || s.folders[name]):
			err = s.sift(name)
		case !known:
			err = sweep(filepath.Join(s.tree, filepath.FromSlash(name)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *sieve) same(e fs.DirEntry, was string) bool {
	state, _, err := stateOf(e)
	return err == nil && state == was
}
