package git

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ralph/internal/disk"
)

// notMoved explains why read-tree ended with 128 in a user's tree, and puts the files back.
// Before it writes the first file git refuses changes of the user's; an error after that,
// such as a full disk, leaves files that git removed, or wrote in part. The mark stays where
// they cannot be put back: then the next call completes the move.
func (r *Repo) notMoved(ctx context.Context, p place, m move, cause error) error {
	e := ErrNotWritten{Tree: p.tree, Full: disk.Full(p.tree, p.gitDir), Err: cause}
	touched, err := r.touched(ctx, p, m)
	if err == nil && len(touched) == 0 {
		p.reads = true
		if _, dry := r.git(ctx, p, "read-tree", "-m", "-u", "-n", m.old, m.commit); exitCode(dry) == 128 {
			m.mark.end()
			if _, now := r.inTheWay(ctx, p, m.changes, m.commit, ""); now != nil {
				return errors.Join(now, cause)
			}
			return errors.Join(ErrDirty{pathsOf(m.changes)}, cause)
		}
	}
	for _, t := range touched {
		if t.state != written && !t.deleted {
			e.Paths = append(e.Paths, t.path)
		}
	}
	if err == nil {
		err = r.putBack(ctx, p, touched)
	}
	if err == nil {
		m.mark.end()
		e.PutBack = true
	}
	e.Err = errors.Join(cause, err)
	return e
}

// move is one move of a user's tree from the tree of old to commit.
type move struct {
	commit, old string
	changes     []Change
	mark        advancing
}

// fileState tells what a move that did not end has made of a file.
type fileState int

const (
	written fileState = iota // it has the content of the new commit
	partial                  // it has the beginning of that
	removed
)

// touchedFile is a file that a move has touched.
type touchedFile struct {
	path    string
	deleted bool // the new commit does not have it
	indexed bool // the index does
	state   fileState
}

// touched returns the files that a move has touched, and no file that the user has changed:
// before the move each was as in the index. Now it is missing, or its content is, or begins,
// that of the new commit.
func (r *Repo) touched(ctx context.Context, p place, m move) ([]touchedFile, error) {
	p.reads = true
	indexed, err := r.listed(ctx, p, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	differ, err := r.listed(ctx, p, "diff-files", "-z", "--name-only", "--ignore-submodules")
	if err != nil {
		return nil, err
	}
	want, err := r.contents(ctx, m)
	if err != nil {
		return nil, err
	}
	var out []touchedFile
	links := map[string]bool{}
	for _, c := range m.changes {
		t := touchedFile{path: c.Path, deleted: c.Status == "D", indexed: indexed[c.Path]}
		if t.indexed && !differ[c.Path] || behindLink(p.tree, path.Dir(c.Path), links) {
			continue
		}
		file := filepath.Join(p.tree, filepath.FromSlash(c.Path))
		switch there := exists(file); {
		case !there && t.indexed:
			t.state = removed
		case !there || t.deleted:
			continue
		default:
			have, ok := contentOf(file)
			state, ours := r.progress(ctx, p, have, want[c.Path], m.commit+":"+c.Path)
			if !ok || !ours {
				continue
			}
			t.state = state
		}
		out = append(out, t)
	}
	return out, nil
}

// listed returns the paths that a command lists.
func (r *Repo) listed(ctx context.Context, p place, args ...string) (map[string]bool, error) {
	out, err := r.call(ctx, call{place: p, args: args, max: 1 << 30})
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, name := range fields(out) {
		all[name] = true
	}
	return all, nil
}

// contents returns what the new commit has in the changed files, as git stores it. Large
// ones are left out.
func (r *Repo) contents(ctx context.Context, m move) (map[string][]byte, error) {
	files, err := r.ListTree(ctx, m.commit)
	if err != nil {
		return nil, err
	}
	ids, wanted := map[string]string{}, []string{}
	for _, f := range files {
		ids[f.Path] = f.ID
	}
	for _, c := range m.changes {
		if id := ids[c.Path]; id != "" {
			wanted = append(wanted, id)
		}
	}
	blobs, err := r.Blobs(ctx, wanted)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, c := range m.changes {
		if data, ok := blobs[ids[c.Path]]; ok {
			out[c.Path] = data
		}
	}
	return out, nil
}

// mostPartial bounds the files that are compared. git removes larger ones itself where it
// cannot write them (core.bigFileThreshold).
const mostPartial = 512 << 20

// contentOf returns what a file or a symbolic link holds.
func contentOf(file string) ([]byte, bool) {
	info, err := os.Lstat(file)
	switch {
	case err != nil || info.Size() > mostPartial:
		return nil, false
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(file)
		return []byte(target), err == nil
	case !info.Mode().IsRegular():
		return nil, false
	}
	data, err := os.ReadFile(file)
	return data, err == nil
}

// progress reports whether the content of a file is that of the new commit, or begins it: as
// git stores it, or as it writes it to a tree (line ends, filters).
func (r *Repo) progress(ctx context.Context, p place, have, stored []byte, name string) (fileState, bool) {
	switch {
	case stored != nil && bytes.Equal(have, stored):
		return written, true
	case len(have) == 0 || stored != nil && bytes.HasPrefix(stored, have):
		return partial, true
	}
	out, err := r.callTruncated(ctx, call{place: p, args: []string{"cat-file", "--filters", name}, max: int64(len(have)) + 1})
	switch {
	case err != nil || !bytes.HasPrefix(out.Stdout, have):
		return 0, false
	case len(out.Stdout) == len(have):
		return written, true
	}
	return partial, true
}

// putBack undoes a move: the files are as in the index again, which has not moved. New files
// are removed first, so that there is room for the others.
func (r *Repo) putBack(ctx context.Context, p place, touched []touchedFile) error {
	var restore []string
	var errs []error
	for _, t := range touched {
		file := filepath.Join(p.tree, filepath.FromSlash(t.path))
		if t.state != removed {
			errs = append(errs, os.Remove(file))
		}
		if t.indexed {
			restore = append(restore, t.path)
			continue
		}
		for dir := filepath.Dir(file); dir != p.tree && os.Remove(dir) == nil; {
			dir = filepath.Dir(dir)
		}
	}
	if len(restore) > 0 {
		errs = append(errs, r.checkOut(ctx, p, restore))
		_, _ = r.git(ctx, p, "update-index", "-q", "--refresh") // the times of the files; status does it too
	}
	return errors.Join(errs...)
}

// checkOut writes files as in the index of p. git's exit code does not tell of each file that
// it could not write whole, but its message does.
func (r *Repo) checkOut(ctx context.Context, p place, paths []string) error {
	out, err := r.callTruncated(ctx, call{place: p, args: []string{"checkout-index", "-f", "-z", "--stdin"}, stdin: nulls(paths)})
	if err == nil && strings.Contains(string(out.Stderr), "error: ") {
		return &CommandError{Args: []string{"checkout-index"}, Code: out.Code, Stderr: tail(out.Stderr)}
	}
	return err
}
