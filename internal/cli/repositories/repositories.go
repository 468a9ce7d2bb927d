// Package repositories reads the runs of all repositories of the user, for the front ends
// that show them together: ralph web and ralph watch --all.
package repositories

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/lazyregexp"
)

// All are the repositories of the user in which ralph has run in the background, and the
// one that the command was called in. Close it.
type All struct {
	run   *foreground.Runner
	mu    sync.Mutex
	known map[string]*Repository
}

// New returns the repositories of the user of a command.
func New(r *foreground.Runner) *All { return &All{run: r, known: map[string]*Repository{}} }

// List returns them by their paths. Each is the same at every call.
func (a *All) List() ([]*Repository, error) {
	roots, err := a.run.Remembered(false)
	if err != nil {
		return nil, err
	}
	if place, ok := git.Discover(a.run.Dir); ok {
		if own := project.At(place).Root(); !slices.Contains(roots, own) {
			roots = append(roots, own)
		}
	}
	slices.Sort(roots)
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []*Repository
	for _, root := range roots {
		r := a.known[root]
		if r == nil {
			if r = a.newRepository(root); r == nil {
				continue
			}
			a.known[root] = r
		}
		out = append(out, r)
	}
	return out, nil
}

// Close closes the stores that were opened.
func (a *All) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.known {
		if r.reading != nil {
			r.reading.Close()
		}
	}
}

// Repository is one of them. Its store is opened for reading once.
type Repository struct {
	// Runner is that of the command, in this repository.
	Runner *foreground.Runner
	key    string
	root   string
	home   string

	mu      sync.Mutex
	reading *project.Project
	// files is the state of the store's files when the marks were read at looked.
	files, marks string
	looked       time.Time

	inbox inbox
}

// newRepository returns nil for what is not a repository any more.
func (a *All) newRepository(root string) *Repository {
	place, ok := git.Discover(root)
	if !ok {
		return nil
	}
	own := a.run.Copy()
	own.Dir = root
	p := project.At(place)
	return &Repository{Runner: own, key: keyOf(p), root: root, home: p.Home}
}

var unsafe = lazyregexp.New(`[^A-Za-z0-9_.-]+`)

// keyOf names a repository in paths: its folder's name for people, and a hash.
func keyOf(p *project.Project) string {
	return strings.Trim(unsafe.ReplaceAllString(p.Title(), "-"), ".-") + "-" + p.Hash()
}

// Key names the repository: letters, digits, "-", "_" and ".".
func (r *Repository) Key() string { return r.key }

// Title is the name of its folder, Root the path.
func (r *Repository) Title() string { return filepath.Base(r.root) }

// Root is described at Title.
func (r *Repository) Root() string { return r.root }

// Open returns the store for reading. One that does not exist yet is looked for each time.
func (r *Repository) Open(ctx context.Context) (*project.Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading != nil {
		return r.reading, nil
	}
	p, err := r.Runner.Open(ctx, true)
	if err == nil && p.Recorded() {
		r.reading = p
	}
	return p, err
}

// unsteady is how long the liveness of runs is believed without a look: a process that
// dies writes nothing.
const unsteady = 2 * time.Second

// Mark changes whenever something of the runs may have changed: it is the state of the store's files, and which runs live.
func (r *Repository) Mark(ctx context.Context) (string, error) {
	files := statOf(filepath.Join(r.home, "ralph.db")) + statOf(filepath.Join(r.home, "ralph.db-wal"))
	now := r.Runner.Now()
	r.mu.Lock()
	same, mark := files == r.files && now.Sub(r.looked) < unsteady, r.files+r.marks
	r.mu.Unlock()
	if same {
		return mark, nil
	}
	p, err := r.Open(ctx)
	if err != nil {
		return "", err
	}
	loops, err := p.Engine.Marks(ctx, engine.Filter{Active: true})
	if err != nil {
		return "", err
	}
	plans, err := p.Planner.Marks(ctx, engine.Filter{Active: true})
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files, r.marks, r.looked = files, fmt.Sprint(loops, plans), now
	return r.files + r.marks, nil
}

// statOf is the size and time of a file; empty for one that is not there.
func statOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "-"
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano(), ";")
}
