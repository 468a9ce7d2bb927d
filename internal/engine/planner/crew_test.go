package planner

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/plan"
	"ralph/internal/store"
	"ralph/internal/testing/enginetest"
)

// sharedServer is a store in memory that stands for one on another machine.
type sharedServer struct{ *enginetest.Plans }

type sharedServerLease = engine.Lease[plan.State, plan.Event]

func (s sharedServer) Create(ctx context.Context, first plan.State, spec []byte) (sharedServerLease, error) {
	return s.Plans.Create(ctx, first, spec)
}

func (s sharedServer) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (sharedServerLease, error) {
	return s.Plans.Acquire(ctx, id, spec, takeOver)
}

// workerStore writes the file of a plan that a worker creates, as a worker of a team does.
type workerStore struct{ stored.SharedPlans }

func (w workerStore) Create(ctx context.Context, first plan.State, data []byte) (engine.PlanLease, error) {
	var spec engine.PlanSpec
	if err := json.Unmarshal(data, &spec); err != nil {
		return nil, err
	}
	if err := durable.Write(spec.File, spec.Text); err != nil {
		return nil, err
	}
	return w.SharedPlans.Create(ctx, first, data)
}

// crew is a clone whose plans workers drive. All share the loops and the repository, and none
// the files of plans.
type crew struct {
	stage
	server sharedServer
	ledger *store.Store
	// user is the planner of the clone.
	user *Planner
}

// crewTeam is the team of a clone; it follows nothing.
type crewTeam struct{ crew crew }

func (c crewTeam) Ready(context.Context, engine.PlanSpec, *plan.State) error { return nil }
func (c crewTeam) Fetch(context.Context, plan.State) error                   { return nil }
func (c crewTeam) Name(path string) string                                   { return c.crew.name(path) }

func (c crewTeam) Anew(ctx context.Context, first plan.State, _ string) (string, error) {
	if tip, err := c.crew.Repo.RefCommit(ctx, "refs/heads/"+first.Branch); err != nil || tip == "" {
		return "", err
	}
	return c.crew.Repo.SetBranchAside(ctx, first.Branch, time.Now())
}

func (c crewTeam) Follow(ctx context.Context, id string, _ engine.Drive) (plan.State, error) {
	r, err := c.crew.server.Read(ctx, id)
	return r.State, err
}

func (c crew) root() string { return filepath.Dir(c.spec.File) }

func (c crew) name(path string) string { return strings.TrimPrefix(path, c.root()+"/") }

func newCrew(t *testing.T, text string, inner map[string]string, does map[string]work) crew {
	t.Helper()
	c := crew{stage: newStage(t, "outer.json", text, does), server: sharedServer{enginetest.NewPlans()}}
	for name, text := range inner {
		must(t, durable.Write(filepath.Join(c.root(), name), []byte(text)))
	}
	var err error
	c.ledger, err = store.Open(t.Context(), t.TempDir(), store.Options{Owner: "test"})
	must(t, err)
	t.Cleanup(func() { _ = c.ledger.Close() })
	user := *c.Planner
	user.Store = stored.SharedPlans{Server: c.server, Ledger: c.ledger, Path: func(_, name string) string { return filepath.Join(c.root(), name) }, Name: c.name}
	c.user = &user
	c.user.TeamWorkers = crewTeam{c}
	return c
}

// worker is a planner with a folder of its own.
func (c crew) worker(t *testing.T) *Planner {
	t.Helper()
	dir := t.TempDir()
	w := *c.Planner
	w.Dir = func(id string) string { return filepath.Join(dir, id) }
	w.Store = workerStore{stored.SharedPlans{
		Server: c.server, Ledger: c.ledger,
		Path: func(id, name string) string { return CopyPath(w.Dir(id), name) },
		Name: func(path string) string {
			name, ok := CopyName(dir, path)
			if !ok {
				t.Errorf("%s is no copy of a plan", path)
			}
			return name
		},
		Fetch: func(_ context.Context, spec engine.PlanSpec, _ plan.State) error {
			return durable.Write(spec.File, spec.Text)
		},
	}}
	return &w
}

// ask records the request in the clone.
func (c crew) ask(t *testing.T, o engine.Options) {
	t.Helper()
	_, err := c.user.Start(t.Context(), c.spec, o, engine.Drive{})
	must(t, err)
}
