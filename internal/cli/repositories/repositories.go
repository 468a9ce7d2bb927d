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

// All are the repositories of the user in which ralph has run, and the one that the command
// was called in. With the engine of a team they are those that were used with it. Close it.
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
	own := ""
	if place, ok := git.Discover(a.run.Dir); ok {
		if own = project.At(place).Root(); !slices.Contains(roots, own) {
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
			if r = a.newRepository(root, root == own); r == nil {
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
	// files is the state of the store's files when the marks were read at looked; failed is
	// why they could not be.
	files, marks string
	looked       time.Time
	failed       error

	inbox inbox
}

// newRepository returns nil for what is not a repository any more, and for one that was not
// used with the engine, unless it is the caller's own.
func (a *All) newRepository(root string, callers bool) *Repository {
	place, ok := git.Discover(root)
	if !ok {
		return nil
	}
	own := a.run.Copy()
	own.Dir = root
	p := project.At(place)
	if !callers && !own.Joined(p) {
		return nil
	}
	return &Repository{Runner: own, key: keyOf(p), root: root, home: own.HomeOf(p)}
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
	ctx, cancel := r.soon(ctx)
	defer cancel()
	p, err := r.Runner.Open(ctx, true)
	if err == nil && p.Recorded() {
		r.reading = p
	}
	return p, err
}

// OpenForDecision returns the store for one decision of a person, and what closes it then.
// That of a team is open already: its copies are written all the time.
func (r *Repository) OpenForDecision(ctx context.Context) (*project.Project, func(), error) {
	if r.Runner.TeamAddress != nil {
		p, err := r.Open(ctx)
		return p, func() {}, err
	}
	p, err := r.Runner.Open(ctx, false)
	if err != nil {
		return nil, nil, err
	}
	return p, p.Close, nil
}

// soonEnough is how long what is shown waits for the server of a team. Then it shows that
// the server does not answer, and the next look asks again.
const soonEnough = 5 * time.Second

// soon bounds a look at the server of a team.
func (r *Repository) soon(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Runner.TeamAddress == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, soonEnough)
}

// unsteady is how long the liveness of runs, the plans of a team, and a failed look are
// believed without another look: a process that dies writes nothing.
const unsteady = 2 * time.Second

// Mark changes whenever something of the runs may have changed: it is the state of the store's files, and which runs live.
func (r *Repository) Mark(ctx context.Context) (string, error) {
	files := statOf(filepath.Join(r.home, "ralph.db")) + statOf(filepath.Join(r.home, "ralph.db-wal"))
	now := r.Runner.Now()
	r.mu.Lock()
	same, mark, failed := files == r.files && now.Sub(r.looked) < unsteady, r.files+r.marks, r.failed
	r.mu.Unlock()
	if same {
		return mark, failed
	}
	marks, err := r.marksNow(ctx)
	if err != nil && ctx.Err() != nil { // the caller left: that tells nothing
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files, r.marks, r.looked, r.failed = files, marks, r.Runner.Now(), err
	return r.files + r.marks, err
}

// marksNow are those of the runs that have not ended.
func (r *Repository) marksNow(ctx context.Context) (string, error) {
	p, err := r.Open(ctx)
	if err != nil {
		return "", err
	}
	ctx, cancel := r.soon(ctx)
	defer cancel()
	loops, err := p.Loops.Marks(ctx, engine.Filter{Active: true})
	if err != nil {
		return "", err
	}
	plans, err := p.Plans.Marks(ctx, engine.Filter{Active: true})
	return fmt.Sprint(loops, plans), err
}

// statOf is the size and time of a file; empty for one that is not there.
func statOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "-"
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano(), ";")
}
