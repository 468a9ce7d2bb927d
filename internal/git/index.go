package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// borrowed copies a tree's index to a temporary place, for staging without side
// effects. The copy keeps the time of the original, since git uses it to decide
// which entries to trust.
func (r *Repo) borrowed(p place) (place, func(), error) {
	dir, err := r.scratch()
	if err != nil {
		return place{}, nil, err
	}
	done := func() { os.RemoveAll(dir) }
	from, to := filepath.Join(p.gitDir, "index"), filepath.Join(dir, "index")
	if err := copyIndex(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		done()
		return place{}, nil, err
	}
	p.index, p.reads = to, false
	return p, done, nil
}

func copyIndex(from, to string) error {
	st, err := os.Stat(from)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		return err
	}
	return os.Chtimes(to, st.ModTime(), st.ModTime())
}

// stage puts the present content of a tree into p's index and returns the id of
// the tree object: all changes that are not ignored, except ralph's own files and
// nested repositories. It takes single plumbing steps instead of "add -A", which
// would run git inside submodules.
func (r *Repo) stage(ctx context.Context, p place, s state) (string, error) {
	var paths, reset, gone []string
	links := map[string]bool{}
	for _, e := range s.entries {
		switch {
		case e.nested():
		case !ownFile(e.path) && behindLink(p.tree, path.Dir(e.path), links):
			gone = append(gone, e.path)
		case !ownFile(e.path):
			paths = append(paths, e.path)
		case e.staged != '?' && e.staged != '.':
			reset = append(reset, e.info())
		}
	}
	if reset != nil {
		if _, err := r.feed(ctx, p, nulls(reset), "update-index", "-z", "--index-info"); err != nil {
			return "", err
		}
	}
	if gone != nil {
		if _, err := r.feed(ctx, p, nulls(gone), "update-index", "-z", "--force-remove", "--stdin"); err != nil {
			return "", err
		}
	}
	if paths != nil {
		if err := r.add(ctx, p, paths); err != nil {
			return "", err
		}
	}
	return r.line(ctx, p, "write-tree")
}

// behindLink reports whether a folder of a tree is a symbolic link, or lies below
// one: what the index has there is gone, whatever the link leads to. seen holds the
// answers for other folders.
func behindLink(tree, dir string, seen map[string]bool) bool {
	if dir == "." || dir == "/" {
		return false
	}
	if known, ok := seen[dir]; ok {
		return known
	}
	info, err := os.Lstat(filepath.Join(tree, filepath.FromSlash(dir)))
	seen[dir] = err == nil && info.Mode()&fs.ModeSymlink != 0 || behindLink(tree, path.Dir(dir), seen)
	return seen[dir]
}

// info is the index line that resets an entry to HEAD; mode 0 removes it.
func (e entry) info() string {
	if e.headMode == "" || e.headMode == "000000" {
		return "0 " + strings.Repeat("0", max(len(e.headID), 40)) + "\t" + e.path
	}
	return e.headMode + " " + e.headID + "\t" + e.path
}

// marked are paths whose changes git ignores.
type marked struct{ assumed, skipped []string }

// fullStatus is the status of a tree of ralph's with nothing hidden: "assume
// unchanged" marks are cleared, and "skip worktree" outside sparse checkouts.
// Both commands run at once; the second result is rarely needed.
func (r *Repo) fullStatus(ctx context.Context, p place) (state, error) {
	type answer struct {
		marked
		err error
	}
	found := make(chan answer, 1)
	go func() {
		m, err := r.marks(ctx, p)
		found <- answer{m, err}
	}()
	s, err := r.work(ctx, p)
	hidden := <-found
	if err = errors.Join(err, hidden.err); err != nil {
		return state{}, err
	}
	if hidden.assumed == nil && hidden.skipped == nil {
		return s, nil
	}
	if err := r.unmark(ctx, p, hidden.marked); err != nil {
		return state{}, err
	}
	return r.work(ctx, p)
}

func (r *Repo) marks(ctx context.Context, p place) (m marked, err error) {
	d, err := r.drivers(ctx, p.gitDir)
	if err != nil {
		return m, err
	}
	out, err := r.call(ctx, call{place: p, args: []string{"ls-files", "-v", "-z"}, max: 1 << 30})
	if err != nil {
		return m, err
	}
	for _, f := range fields(out) {
		if len(f) < 3 {
			continue
		}
		tag, path := f[0], f[2:]
		if tag >= 'a' && tag <= 'z' {
			m.assumed = append(m.assumed, path)
		}
		if (tag == 'S' || tag == 's') && !d.sparse {
			m.skipped = append(m.skipped, path)
		}
	}
	return m, nil
}

func (r *Repo) unmark(ctx context.Context, p place, m marked) error {
	for flag, paths := range map[string][]string{"--no-assume-unchanged": m.assumed, "--no-skip-worktree": m.skipped} {
		if paths == nil {
			continue
		}
		if _, err := r.feed(ctx, p, nulls(paths), "update-index", "-z", flag, "--stdin"); err != nil {
			return err
		}
	}
	return nil
}
