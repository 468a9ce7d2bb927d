package project

import (
	"context"
	"errors"

	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/planner"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/worker"
	"ralph/internal/gate"
	"ralph/internal/git"
	"ralph/internal/store"
)

// Open finds the repository, its configuration and its store. Reading
// commands create nothing.
func (a *Opener) Open(ctx context.Context, reading bool) (*Project, error) {
	reading = reading && a.TeamAddress == nil // copies of a team's loops are brought up to date
	if reading && a.Getenv("GIT_DIR") == "" {
		if place, ok := git.Discover(a.Dir); ok {
			p := At(place)
			return p, a.Connect(ctx, p, true)
		}
	}
	p, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	if !reading {
		if err := a.Configure(p); err != nil {
			return nil, err
		}
	}
	return p, a.Connect(ctx, p, reading)
}

// Connect wires a located project: the server of a team where there is one, the store, the
// engine of this machine over it, and the plans; then the loops and plans of the team in
// front of these.
func (a *Opener) Connect(ctx context.Context, p *Project, reading bool) error {
	if err := a.guard(p); err != nil {
		return err
	}
	if a.TeamAddress != nil {
		reading = false // copies of a team's loops are brought up to date
		if err := a.teamOf(ctx, p); err != nil {
			return err
		}
		if !a.IsWorker {
			p.Home, p.Views = a.HomeOf(p), ""
		}
	}
	if err := a.openStore(ctx, p, reading); err != nil {
		return err
	}
	p.limits, p.session = a.LimitsBook(reading), a.sessionBudget(p)
	if a.IsWorker {
		p.limits.Share(p.server.Accounts())
	}
	space := a.spaceWait(p)
	p.Local = local.New(p.Store, a.WorkerFactory(p), a.localOptions(p, space))
	p.Loops, p.Plans = p.Local, a.planner(p, space)
	if a.TeamAddress != nil {
		if err := a.share(ctx, p); err != nil {
			return errors.Join(err, p.Store.Close())
		}
	}
	if a.Restrict != nil {
		p.Loops = a.Restrict(p.Loops)
	}
	return nil
}

// openStore opens the database of a project, which is made where a command writes.
func (a *Opener) openStore(ctx context.Context, p *Project, reading bool) (err error) {
	if !reading {
		if err := store.Prepare(p.Home); err != nil {
			return err
		}
		if err := errors.Join(a.ownStore(p), a.makeHidden()); err != nil {
			return err
		}
	}
	o := store.Options{Views: p.Views, Bus: a.Bus(p, reading), Owner: a.Owner(), ReadOnly: reading, Now: a.Now, Slots: a.slotsDir()}
	if p.Store, err = store.Open(ctx, p.Home, o); err == nil && p.Repo != nil {
		p.Repo.OwnLog = o.Bus
	}
	return err
}

// localOptions are those of the engine of this machine.
func (a *Opener) localOptions(p *Project, space engine.SpaceWait) local.Options {
	o := local.Options{
		Fault: a.Fault, Now: a.Now, Uptime: store.Uptime, Owner: a.Owner(),
		Limits: p.limits, Warn: a.warnLimits(), Session: p.session, Shared: p.shared, SpaceWait: space,
		Discard: func(ctx context.Context, path string) error { return worker.DiscardTree(ctx, p.Repo, path) },
	}
	if p.Repo != nil && (a.TeamAddress == nil || a.IsWorker) { // else they are of the loops of this machine
		o.Checkpoints, o.OnlyCommit = worker.CheckpointRefs{Repo: p.Repo}, p.Repo.OnlyCommit
	}
	if p.Settings != nil {
		o.CheckpointEvery = p.Settings.CheckpointEvery()
	}
	return o
}

// planner runs the plans of this machine, with the loops of its engine.
func (a *Opener) planner(p *Project, space engine.SpaceWait) *planner.Planner {
	return &planner.Planner{
		Loops: p.Local, Store: stored.PlansOf(p.Store), Approvals: p.Store, Dir: p.Store.Plans().Dir,
		Repo: p.Repo, Now: a.Now, By: a.Owner(), Views: p.Views, Fault: a.Fault, NewWorker: a.WorkerFactory(p), SpaceWait: space,
	}
}

// Unbound reports whether a session certainly began no loop in the repository. It opens
// no store.
func (a *Opener) Unbound(p *Project, session string) bool {
	return a.guard(p) == nil && store.Unbound(p.Home, session)
}

// Bus is where the event bus is written; empty: among the views. It is the main
// tree's ralph.yaml that says so, wherever the command is called: all writers
// must agree.
func (a *Opener) Bus(p *Project, reading bool) string {
	if reading || p.Place.MainRoot == "" {
		return ""
	}
	if p.Settings != nil && p.Repo != nil && p.Repo.Root == p.Place.MainRoot {
		return string(p.Settings.Settings.Bus)
	}
	return config.Bus(p.Place.MainRoot, a.ExplicitConfig(), a.Env)
}

// Locate finds the repository without opening its store.
func (a *Opener) Locate(ctx context.Context) (*Project, error) {
	repo, err := git.OpenEnv(ctx, a.Dir, a.Env)
	if err != nil {
		return nil, err
	}
	p := At(git.Location{CommonDir: repo.CommonDir, MainRoot: repo.MainRoot})
	p.Repo = repo
	return p, nil
}

// Configure reads ralph.yaml, the environment and the user's file.
func (a *Opener) Configure(p *Project, flags ...config.Setting) (err error) {
	root := p.Repo.Root
	if root == "" {
		root = p.Repo.CommonDir
	}
	if p.Found, err = config.Find(root, a.ExplicitConfig(), a.Env); err != nil {
		return err
	}
	p.Settings, err = config.Resolve(config.Sources{Flags: flags, Env: a.Env, Project: p.Found.Project, User: p.Found.User, Tree: root, Infer: gate.Infer})
	return err
}

// OwnSettings are those of the user and the environment, whatever the repository's file says.
func (a *Opener) OwnSettings(p *Project) (*config.Resolved, error) {
	found, err := config.Find(p.Repo.CommonDir, "", a.Env)
	if err != nil {
		return nil, err
	}
	return config.Resolve(config.Sources{Env: a.Env, User: found.User, Infer: gate.Infer})
}
