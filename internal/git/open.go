package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ralph/internal/proc"
)

const minMajor, minMinor = 2, 38

// Repo is a repository seen from one directory. It is safe for concurrent use.
type Repo struct {
	// Root is the top of the work tree that holds the directory; "" when bare.
	Root string
	// MainRoot is the main working tree, also seen from a linked one; "" when
	// there is none.
	MainRoot string
	// CommonDir is the real path of the directory that all worktrees share.
	CommonDir string
	Bare      bool
	// Prefix is the directory inside Root, with slashes; "" at the top.
	Prefix string
	// Version of the git program, as it says it.
	Version string
	// OwnLog is a file in the main tree, relative to it, that ralph itself writes
	// to while others work; "" is none. Its changes there do not count as work.
	OwnLog string

	program string
	gitDir  string
	env     []string
	filters *Filters
	known   *known
}

// known caches results between calls.
type known struct {
	mu      sync.Mutex
	config  map[string]drivers
	content map[string]string
	seals   map[string]seal
	commits map[string]made
	files   recent[[]File]
	changes recent[[]Change]
	patches recent[patch]
	// ahead is closed once the configuration was read ahead; nil: it was not.
	ahead chan struct{}

	registering sync.Mutex
}

func newKnown() *known {
	return &known{config: map[string]drivers{}, seals: map[string]seal{}, commits: map[string]made{}}
}

// Open finds the repository of dir. It runs two short processes concurrently.
func Open(ctx context.Context, dir string) (*Repo, error) {
	return OpenEnv(ctx, dir, os.Environ())
}

// OpenEnv is Open with the environment that PATH, HOME and the like are taken
// from. Its GIT_* variables are not used.
func OpenEnv(ctx context.Context, dir string, environ []string) (*Repo, error) {
	program, err := proc.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	r := &Repo{program: program, env: inherited(environ), known: newKnown()}
	old := make(chan error, 1)
	go func() { old <- r.checkVersion(ctx, dir) }()
	err = r.discover(ctx, dir)
	if tooOld := <-old; tooOld != nil {
		return nil, tooOld
	}
	if err != nil {
		return nil, fmt.Errorf("open repository of %s: %w", dir, err)
	}
	return r, nil
}

func (r *Repo) checkVersion(ctx context.Context, dir string) error {
	out, err := r.start(ctx, call{place: place{tree: dir}, args: []string{"version"}}, r.env)
	if err != nil {
		return err
	}
	r.Version = strings.TrimPrefix(strings.TrimSpace(string(out.Stdout)), "git version ")
	if !newEnough(r.Version) {
		return ErrTooOld{r.Version}
	}
	return nil
}

func newEnough(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return false
	}
	return major > minMajor || major == minMajor && minor >= minMinor
}

// discover asks git, with the user's configuration: safe.directory is the user's
// decision. rev-parse runs nothing.
func (r *Repo) discover(ctx context.Context, dir string) error {
	env := append(slices.Clone(r.env), "LC_ALL=C")
	out, err := r.start(ctx, call{place: place{tree: dir}, args: []string{
		"rev-parse", "--path-format=absolute", "--is-bare-repository", "--git-common-dir", "--absolute-git-dir",
		"--show-prefix", "--show-toplevel",
	}}, env)
	lines := strings.Split(strings.TrimSuffix(string(out.Stdout), "\n"), "\n")
	if bare := len(lines) >= 3 && lines[0] == "true"; err != nil && !bare {
		return situation(err)
	} else if want := map[bool]int{true: 4, false: 5}[bare]; len(lines) != want {
		return fmt.Errorf("%w: unexpected output of rev-parse (a line break in the path?)", ErrNotRepository)
	}
	r.Bare = lines[0] == "true"
	if r.CommonDir, err = filepath.EvalSymlinks(lines[1]); err != nil {
		return err
	}
	if r.gitDir, err = filepath.EvalSymlinks(lines[2]); err != nil {
		return err
	}
	if r.Bare {
		return nil
	}
	if common, lent := quarantineOf(r.gitDir); lent {
		// An agent works there, in a quarantine of this repository.
		r.CommonDir, r.gitDir = common, r.adminDir(filepath.FromSlash(lines[4]))
	}
	r.Prefix, r.Root = strings.TrimSuffix(lines[3], "/"), filepath.FromSlash(lines[4])
	r.MainRoot = r.mainRoot(ctx)
	return nil
}

// mainRoot finds the main working tree from any tree.
func (r *Repo) mainRoot(ctx context.Context) string {
	if r.gitDir == r.CommonDir {
		return r.Root
	}
	file := filepath.Join(r.CommonDir, "config")
	get := func(key string) string {
		out, err := r.start(ctx, call{place: place{tree: r.CommonDir}, args: []string{"config", "--file", file, "--get", key}}, r.env)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out.Stdout))
	}
	if tree := get("core.worktree"); tree != "" { // a submodule or --separate-git-dir
		if !filepath.IsAbs(tree) {
			tree = filepath.Join(r.CommonDir, tree)
		}
		return filepath.Clean(tree)
	}
	if filepath.Base(r.CommonDir) == ".git" && get("core.bare") != "true" {
		return filepath.Dir(r.CommonDir)
	}
	return ""
}

// situation names the failures of discovery. LC_ALL=C keeps their text stable.
func situation(err error) error {
	e, ok := errors.AsType[*CommandError](err)
	switch {
	case !ok:
		return err
	case strings.Contains(e.Stderr, "dubious ownership"):
		return fmt.Errorf("%w: %s", ErrForeignOwner, e.Stderr)
	case strings.Contains(e.Stderr, "not a git repository"), strings.Contains(e.Stderr, "must be run in a work tree"):
		return ErrNotRepository
	}
	return err
}

// home is the caller's own tree, for reading.
func (r *Repo) home() place { return place{gitDir: r.gitDir, tree: r.Root, reads: true} }

func (r *Repo) getenv(name string) string {
	for _, kv := range r.env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}
