package web

import (
	"context"
	"sync"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/cli/repositories"
	"ralph/internal/cli/runs"
	"ralph/internal/view"
	"ralph/internal/web"
)

// source is every repository of the user.
type source struct {
	*Commands
	all   *repositories.All
	mu    sync.Mutex
	known map[string]*repository
}

func newSource(a *Commands) *source {
	return &source{Commands: a, all: repositories.New(a.runner), known: map[string]*repository{}}
}

func (s *source) Repositories(context.Context) ([]web.Repository, error) {
	all, err := s.all.List()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]web.Repository, len(all))
	for i, r := range all {
		if s.known[r.Key()] == nil {
			s.known[r.Key()] = &repository{Repository: r, command: s.command}
		}
		out[i] = s.known[r.Key()]
	}
	return out, nil
}

func (s *source) Agents(ctx context.Context) ([]view.Account, error) { return s.Accounts(ctx) }

// repository is one of them for the pages. Its store is opened for writing for each
// decision.
type repository struct {
	*repositories.Repository
	command func(args ...string) (string, int)
	report  report
}

// report is the report that was made last.
type report struct {
	mu      sync.Mutex
	mark    string
	read    time.Time
	summary view.Summary
}

// A report shows the newest loops that have ended, at most mostReported. It is used again
// while nothing changes, for as long as believed: a plan's file is edited without it.
const (
	mostReported = 30
	believed     = 10 * time.Second
)

// Summary is the report of the newest runs, as ralph report makes it. It is used again
// while nothing changes.
func (r *repository) Summary(ctx context.Context) (view.Summary, error) {
	mark, err := r.Mark(ctx)
	if err != nil {
		return view.Summary{}, err
	}
	now, in := r.Runner.Now(), &r.report
	in.mu.Lock()
	defer in.mu.Unlock()
	if age := now.Sub(in.read); !in.read.IsZero() && in.mark == mark && age >= 0 && age <= believed {
		return in.summary, nil
	}
	in.read = time.Time{}
	if in.summary, err = r.summarize(ctx); err != nil {
		return view.Summary{}, err
	}
	in.mark, in.read = mark, now
	return in.summary, nil
}

func (r *repository) summarize(ctx context.Context) (view.Summary, error) {
	p, done, err := r.connected(ctx)
	if err != nil {
		return view.Summary{}, err
	}
	defer done()
	newest, err := runs.Newest(ctx, p, mostReported)
	if err != nil {
		return view.Summary{}, err
	}
	summary, err := runs.Summarize(ctx, r.Runner.Opener, p, newest.Loops, newest.Plans)
	if err != nil {
		return summary, err
	}
	summary.More = newest.More
	summary.Archived, err = runs.ArchivedRuns(ctx, p)
	return summary, err
}

// connected opens the store with the configuration, for reading, and returns what closes it.
// That of a team is open already, and configured.
func (r *repository) connected(ctx context.Context) (*project.Project, func(), error) {
	if r.Runner.TeamAddress != nil {
		return r.OpenForDecision(ctx)
	}
	p, err := r.configured(ctx)
	if err == nil {
		err = r.Runner.Connect(ctx, p, true)
	}
	if err != nil {
		return nil, nil, err
	}
	return p, p.Close, nil
}
