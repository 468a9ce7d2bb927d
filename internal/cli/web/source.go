package web

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
	"ralph/internal/view"
	"ralph/internal/web"
)

// source is every repository of the user in which ralph has run in the background, and
// the one that the command was called in.
type source struct {
	*Commands
	mu    sync.Mutex
	known map[string]*repository
}

func newSource(a *Commands) *source { return &source{Commands: a, known: map[string]*repository{}} }

func (s *source) Repositories(context.Context) ([]web.Repository, error) {
	roots, err := s.Remembered()
	if err != nil {
		return nil, err
	}
	if place, ok := git.Discover(s.Dir); ok {
		if own := project.At(place).Root(); !slices.Contains(roots, own) {
			roots = append(roots, own)
		}
	}
	slices.Sort(roots)
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []web.Repository
	for _, root := range roots {
		r := s.known[root]
		if r == nil {
			if r = s.newRepository(root); r == nil {
				continue
			}
			s.known[root] = r
		}
		out = append(out, r)
	}
	return out, nil
}

func (s *source) Agents(ctx context.Context) ([]view.Account, error) { return s.Accounts(ctx) }

// close closes the stores that were opened.
func (s *source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.known {
		if r.reading != nil {
			r.reading.Close()
		}
	}
}

// repository is one of them. Its store is opened for reading once, and for writing for
// each decision.
type repository struct {
	run     *foreground.Runner
	command func(args ...string) (string, int)
	key     string
	root    string
	home    string

	mu      sync.Mutex
	reading *project.Project
	// files is the state of the store's files when the marks were read at looked.
	files, marks string
	looked       time.Time

	inbox  inbox
	report report
}

// newRepository returns nil for what is not a repository any more.
func (s *source) newRepository(root string) *repository {
	place, ok := git.Discover(root)
	if !ok {
		return nil
	}
	own := s.Copy()
	own.Dir = root
	p := project.At(place)
	return &repository{run: own, command: s.command, key: keyOf(p), root: root, home: p.Home}
}

var unsafe = lazyregexp.New(`[^A-Za-z0-9_.-]+`)

// keyOf names a repository in paths: its folder's name for people, and a hash.
func keyOf(p *project.Project) string {
	return strings.Trim(unsafe.ReplaceAllString(p.Title(), "-"), ".-") + "-" + p.Hash()
}

func (r *repository) Key() string   { return r.key }
func (r *repository) Title() string { return filepath.Base(r.root) }
func (r *repository) Root() string  { return r.root }

// open returns the store for reading. One that does not exist yet is looked for each time.
func (r *repository) open(ctx context.Context) (*project.Project, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reading != nil {
		return r.reading, nil
	}
	p, err := r.run.Open(ctx, true)
	if err == nil && p.Recorded() {
		r.reading = p
	}
	return p, err
}

// unsteady is how long the liveness of runs is believed without a look: a process that
// dies writes nothing.
const unsteady = 2 * time.Second

// Mark is the state of the store's files, and which runs live.
func (r *repository) Mark(ctx context.Context) (string, error) {
	files := statOf(filepath.Join(r.home, "ralph.db")) + statOf(filepath.Join(r.home, "ralph.db-wal"))
	now := r.run.Now()
	r.mu.Lock()
	same, mark := files == r.files && now.Sub(r.looked) < unsteady, r.files+r.marks
	r.mu.Unlock()
	if same {
		return mark, nil
	}
	p, err := r.open(ctx)
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
