package git

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Dirty counts what of a tree is not in its HEAD.
type Dirty struct {
	Staged, Unstaged, Untracked int
	// Files counts the paths: one may be both staged and changed again.
	Files int
	// Sample holds the first few paths.
	Sample []string
	// Nested are untracked folders that are repositories of their own.
	Nested []string
}

// Any reports whether there is any.
func (d Dirty) Any() bool { return d.Files > 0 }

// Dirty inspects a tree ("" is the caller's) without touching it. ralph's own
// files at its top do not count.
func (r *Repo) Dirty(ctx context.Context, tree string) (Dirty, error) {
	p, err := r.at(tree)
	if err != nil {
		return Dirty{}, err
	}
	s, err := r.work(ctx, p)
	if err != nil {
		return Dirty{}, err
	}
	const sample = 5
	var d Dirty
	for _, e := range s.entries {
		switch {
		case ownFile(e.path):
			continue
		case e.nested():
			d.Nested = append(d.Nested, strings.TrimSuffix(e.path, "/"))
			continue
		case e.staged == '?':
			d.Untracked++
		default:
			d.Staged += count(e.staged != '.')
			d.Unstaged += count(e.unstaged != '.')
		}
		d.Files++
		if len(d.Sample) < sample {
			d.Sample = append(d.Sample, e.path)
		}
	}
	return d, nil
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ownFile reports whether path is a file of ralph's at the top of a tree. ralph
// never commits one.
func ownFile(path string) bool {
	return path == ".ralph" || strings.HasPrefix(path, ".ralph/") || strings.HasPrefix(path, ".ralph_state")
}

// entry is one path that differs: staged (HEAD to index) and unstaged (index
// to tree) as git letters, '.' for equal, '?' for untracked.
type entry struct {
	path             string
	staged, unstaged byte
	headMode, headID string
	submodule        bool
}

// nested is an untracked folder with a .git of its own.
func (e entry) nested() bool { return e.staged == '?' && strings.HasSuffix(e.path, "/") }

// state is the status of a tree.
type state struct {
	head    string // "" before the first commit
	tree    string // head's tree, where known
	branch  string // "" when detached
	entries []entry
}

// nested returns the folders of all nested repositories.
func (s state) nested() []string {
	var out []string
	for _, e := range s.entries {
		if e.nested() {
			out = append(out, strings.TrimSuffix(e.path, "/"))
		}
	}
	return out
}

// status never enters submodules: that would run git with an unchecked
// configuration.
func (r *Repo) status(ctx context.Context, p place) (state, error) {
	out, err := r.call(ctx, call{place: p, max: 1 << 30, args: []string{
		"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames",
		"--ignore-submodules=dirty", "--no-ahead-behind",
	}})
	if err != nil {
		return state{}, err
	}
	return parseStatus(out)
}

// work is status without the log that ralph writes in the main tree: otherwise
// every call would find a change.
func (r *Repo) work(ctx context.Context, p place) (state, error) {
	s, err := r.status(ctx, p)
	if r.OwnLog != "" && p.tree == r.MainRoot {
		s.entries = slices.DeleteFunc(s.entries, func(e entry) bool { return e.path == r.OwnLog })
	}
	return s, err
}

func parseStatus(out []byte) (state, error) {
	var s state
	for _, rec := range fields(out) {
		switch {
		case strings.HasPrefix(rec, "# branch.oid "):
			if s.head = rec[len("# branch.oid "):]; s.head == "(initial)" {
				s.head = ""
			}
		case strings.HasPrefix(rec, "# branch.head "):
			if s.branch = rec[len("# branch.head "):]; s.branch == "(detached)" {
				s.branch = ""
			}
		case strings.HasPrefix(rec, "#"):
		default:
			e, err := parseEntry(rec)
			if err != nil {
				return state{}, err
			}
			s.entries = append(s.entries, e)
		}
	}
	return s, nil
}

// parseEntry reads "1 XY sub mH mI mW hH hI path", "u XY sub m1 m2 m3 mW h1 h2
// h3 path" or "? path".
func parseEntry(rec string) (entry, error) {
	if path, ok := strings.CutPrefix(rec, "? "); ok && path != "" {
		return entry{path: path, staged: '?', unstaged: '?'}, nil
	}
	n := map[byte]int{'1': 9, 'u': 11}[(rec + "?")[0]]
	f := strings.SplitN(rec, " ", max(n, 1))
	if n == 0 || len(f) != n || len(f[1]) != 2 || f[2] == "" {
		return entry{}, fmt.Errorf("unexpected line of git status: %.80q", rec)
	}
	e := entry{path: f[n-1], staged: f[1][0], unstaged: f[1][1], submodule: f[2][0] == 'S'}
	if n == 9 {
		e.headMode, e.headID = f[3], f[6]
	}
	return e, nil
}

// Ignored returns those of the files and directories, relative to the top of the
// caller's tree, that exist and are ignored by git: of a directory, all that is in it.
func (r *Repo) Ignored(ctx context.Context, files []string) ([]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	args := append([]string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"}, files...)
	out, err := r.git(ctx, r.home(), args...)
	if err != nil {
		return nil, err
	}
	whole, err := r.git(ctx, r.home(), slices.Insert(args, 2, "--directory")...)
	all := fields(out)
	for _, dir := range fields(whole) {
		if name, is := strings.CutSuffix(dir, "/"); is {
			all = append(all, name)
		}
	}
	return all, err
}
