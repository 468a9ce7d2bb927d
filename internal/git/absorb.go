package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// absorb imports what the commits of a quarantine need and the repository lacks.
// index reports that everything the quarantine's index names was imported.
//
// No file is copied under a known name: git packs the objects and names each of
// them again by its content, so that nothing existing can be replaced, and no
// object gets in under a wrong name.
func (r *Repo) absorb(ctx context.Context, p place, l quarantine, was string) (index bool, err error) {
	scratch, err := r.scratch()
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	from := place{gitDir: r.CommonDir, objects: filepath.Join(scratch, "objects"), beside: filepath.Join(l.dir, "objects"), wary: true}
	if err := os.Mkdir(from.objects, 0o700); err != nil {
		return false, err
	}
	wanted := []string{l.head}
	if l.tip != "" && l.tip != l.head {
		wanted = append(wanted, l.tip)
	}
	for _, id := range l.extra {
		wanted = append(wanted, id)
	}
	if p.gitDir != "" {
		staged := from
		staged.index = filepath.Join(scratch, "index")
		if tree, ok := r.stagedTree(ctx, staged, filepath.Join(l.dir, "index")); ok {
			index, wanted = true, append(wanted, tree)
		}
	}
	if err := r.carry(ctx, from, filepath.Join(scratch, "pack"), wanted, was); err != nil {
		return false, r.refuse(ctx, err)
	}
	return index, nil
}

// refuse distinguishes an unsound quarantine from a git that could not run.
func (r *Repo) refuse(ctx context.Context, err error) error {
	if _, said := errors.AsType[*CommandError](err); said && ctx.Err() == nil && !cutOff(err) {
		return &absorbError{err}
	}
	return err
}

// stagedTree returns the tree that an index would commit; not ok in the middle of
// a merge.
func (r *Repo) stagedTree(ctx context.Context, p place, from string) (tree string, ok bool) {
	if info, err := os.Lstat(from); err != nil || !info.Mode().IsRegular() || copyIndex(from, p.index) != nil {
		return "", false
	}
	tree, err := r.line(ctx, p, "write-tree")
	return tree, err == nil && isID(tree)
}

// carry moves objects that wanted needs besides those of was, and then checks
// that nothing is missing.
func (r *Repo) carry(ctx context.Context, from place, name string, wanted []string, was string) error {
	list := strings.Join(wanted, "\n") + "\n"
	if was != "" {
		list += "^" + was + "\n"
	}
	out, err := r.feed(ctx, from, []byte(list), "pack-objects", "--revs", "--non-empty", "-q", name)
	if err != nil {
		return err
	}
	for id := range strings.FieldsSeq(string(out)) {
		if err := r.takePack(ctx, name+"-"+id+".pack"); err != nil {
			return err
		}
	}
	_, err = r.feed(ctx, place{gitDir: r.CommonDir, wary: true}, []byte(list), "rev-list", "--objects", "--quiet", "--stdin")
	return err
}

// takePack imports the objects of a pack. A small one is unpacked, so that not
// every attempt leaves one more pack.
func (r *Repo) takePack(ctx context.Context, pack string) error {
	const small = 1 << 20
	info, err := os.Stat(pack)
	if err != nil {
		return err
	}
	if info.Size() <= small {
		data, err := os.ReadFile(pack)
		if err != nil {
			return err
		}
		_, err = r.feed(ctx, r.shared(), data, "unpack-objects", "-q")
		return err
	}
	whole := strings.TrimSuffix(pack, ".pack")
	_ = os.Remove(whole + ".idx") // the trusted index is made from the content
	out, err := r.git(ctx, r.shared(), "index-pack", pack)
	if err != nil {
		return err
	}
	to := filepath.Join(r.CommonDir, "objects", "pack", "pack-"+string(bytes.TrimSpace(out)))
	for _, ext := range []string{".pack", ".idx"} { // git looks for the index first
		if err := os.Rename(whole+ext, to+ext); err != nil {
			return err
		}
	}
	return nil
}
