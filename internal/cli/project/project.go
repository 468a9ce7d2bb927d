package project

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/agent/registry"
	"ralph/internal/config"
	"ralph/internal/engine/local"
	"ralph/internal/engine/planner"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/team"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/money"
	"ralph/internal/store"
	"ralph/internal/store/limits"
)

// Project is a repository with ralph's store: the one place where
// everything is wired together.
type Project struct {
	// Repo is nil for commands that only read the store.
	Repo     *git.Repo
	Place    git.Location
	Found    config.Found
	Settings *config.Resolved
	Store    *store.Store
	limits   *limits.Book
	session  money.Session
	Engine   Engine
	// Local is the engine of this machine: Engine, unless that shows loops of a team.
	Local   *local.Engine
	Planner *planner.Planner
	// Home is <git common dir>/ralph, views <main tree>/.ralph ("" when bare).
	Home, Views string
	// Prompt is the project's own template, "" for the built-in one.
	Prompt string

	// Of loops of a team: the server, the remote and its address, and what ends the
	// refreshing of the copies.
	server   Server
	remote   string
	first    string // the first commit of the project of a team
	travel   team.Travel
	shared   *stored.Shared
	unfollow func()
}

// Recorded: the database is still where others will look for it.
func (p *Project) Recorded() bool {
	info, err := os.Stat(filepath.Join(p.Home, "ralph.db"))
	return err == nil && info.Size() > 0
}

func (p *Project) Close() {
	if p.unfollow != nil {
		p.unfollow()
	}
	if p.server != nil {
		p.server.Close()
	}
	_ = p.Store.Close()
	_ = p.limits.Close()
}

// AtPrompt notes that a terminal asks the questions of a run, until the function
// that it returns is called; Prompted reports whether one does.
func (p *Project) AtPrompt(id string) func() { return p.Store.AtPrompt(id) }

func (p *Project) Prompted(id string) bool { return p.Store.Prompted(id) }

// Open finds the repository, its configuration and its store. Reading
// commands create nothing.
func (a *Opener) Open(ctx context.Context, reading bool) (*Project, error) {
	reading = reading && a.Team == nil // copies of a team's loops are brought up to date
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

// At is the project of a place.
func At(place git.Location) *Project {
	p := &Project{Place: place, Home: filepath.Join(place.CommonDir, "ralph")}
	if place.MainRoot != "" {
		p.Views = filepath.Join(place.MainRoot, ".ralph")
	}
	return p
}

// Connect opens the store of a located project.
func (a *Opener) Connect(ctx context.Context, p *Project, reading bool) (err error) {
	if err := a.allowed(p); err != nil {
		return err
	}
	if a.Team != nil {
		if err := a.teamOf(ctx, p); err != nil {
			return err
		}
		if !a.Drives {
			p.Home, p.Views = p.teamHome(*a.Team), ""
		}
	}
	if !reading {
		if err := store.Prepare(p.Home); err != nil {
			return err
		}
		if err := errors.Join(a.ownStore(p), a.makeHidden()); err != nil {
			return err
		}
	}
	o := store.Options{Views: p.Views, Bus: a.Bus(p, reading), Owner: a.Owner(), ReadOnly: reading, Now: a.Now, Slots: a.slotsDir()}
	if p.Store, err = store.Open(ctx, p.Home, o); err != nil {
		return err
	}
	if p.Repo != nil {
		p.Repo.OwnLog = o.Bus
	}
	retire := func(ctx context.Context, path string) error {
		return worker.RetireTree(ctx, p.Repo, path)
	}
	p.limits, p.session = a.LimitsBook(reading), a.sessionBudget(p)
	room := a.room(p)
	l := local.Options{
		Fault: a.Fault, Now: a.Now, Uptime: store.Uptime, Owner: a.Owner(), Retire: retire,
		Limits: p.limits, Warn: a.warnLimits(), Session: p.session, Shared: p.shared, Room: room,
	}
	if p.Repo != nil {
		l.Checkpoints = worker.CheckpointRefs{Repo: p.Repo}
	}
	if p.Settings != nil {
		l.CheckpointEvery = p.Settings.CheckpointEvery()
	}
	p.Local = local.New(p.Store, a.WorkerFactory(p), l)
	p.Engine = p.Local
	var shared *team.Engine
	if a.Team != nil {
		shared = a.teamEngine(p, p.Local)
	}
	if shared != nil && !a.Drives {
		if err := a.follow(ctx, p, shared); err != nil {
			return errors.Join(err, p.Store.Close())
		}
	}
	p.Planner = &planner.Planner{
		Engine: p.Engine, Store: stored.Plans{Store: p.Store}, Approvals: p.Store, Dir: p.Store.Plans().Dir, Repo: p.Repo, Now: a.Now, By: a.Owner(), Views: p.Views, Fault: a.Fault, NewWorker: a.WorkerFactory(p), Room: room,
	}
	if shared != nil {
		a.sharePlans(p, shared)
	}
	return nil
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
	p.Settings, err = config.Resolve(config.Sources{Flags: flags, Env: a.Env, Project: p.Found.Project, User: p.Found.User, Tree: root})
	return err
}

// childrensEnv is the environment that agents, gates and reviewers begin with: without
// the addresses of notifications, at which an agent could answer its own questions.
func (a *Opener) childrensEnv(p *Project) worker.Environment {
	if p.Settings == nil {
		return a.Env
	}
	secret := append(p.Settings.NotifyVariables(), TeamVariable, CodecVariable, "TEMPORAL_API_KEY", "TEMPORAL_TLS_CLIENT_KEY_PATH")
	return slices.DeleteFunc(slices.Clone(a.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(secret, name)
	})
}

// WorkerFactory returns what makes the worker of a loop, from the folder of its files.
func (a *Opener) WorkerFactory(p *Project) func(dir string) *worker.Worker {
	return func(dir string) *worker.Worker {
		return &worker.Worker{
			Repo: p.Repo, Drivers: registry.Drivers(), TreeRoot: a.TreeRoot(p),
			StateFile: p.StateFile(filepath.Base(dir)), Template: p.Prompt,
			Env: a.childrensEnv(p), Grace: a.Grace, Now: a.Now, Prices: p.prices(), Session: p.session, Confine: a.confine(p),
			Accounts: worker.Accounts{Book: p.limits, Warn: a.warnLimits()},
		}
	}
}

// prices of models, as far as they are known.
func (p *Project) prices() money.Prices {
	if p.Settings == nil {
		return money.Builtin(nil)
	}
	return p.Settings.Prices()
}

// Grace is what a process gets between being asked to end and being ended.
const Grace = 10 * time.Second

// Template is the project's own prompt, if it has one.
func (p *Project) Template() (string, error) {
	if p.Settings == nil || p.Settings.Settings.Prompt.Dir == "" || p.Repo == nil || p.Repo.Root == "" {
		return "", nil
	}
	name := path.Join(string(p.Settings.Settings.Prompt.Dir), "implementer.md.tmpl")
	root, err := os.OpenRoot(p.Repo.Root)
	if err != nil {
		return "", err
	}
	defer root.Close()
	text, err := root.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return "", &config.Error{File: name, Message: "the prompt's template cannot be read: " + err.Error(), Hint: "write it, or leave out prompt.dir"}
	}
	return string(text), nil
}

// Owner is who gave this command: the user's name, also where the environment
// does not tell it, as in a container.
func (a *Opener) Owner() string {
	if u := cmp.Or(a.Getenv("USER"), a.Getenv("LOGNAME")); u != "" {
		return u
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "a person"
}

func (p *Project) Name() string {
	if n := string(p.Settings.Settings.Project); n != "" {
		return n
	}
	return filepath.Base(p.Root())
}

// Title names the project where its configuration was not read.
func (p *Project) Title() string { return filepath.Base(p.Root()) }

func (p *Project) TreeOrHome() string {
	if p.Repo.Root != "" {
		return p.Repo.Root
	}
	return p.Repo.CommonDir
}

// FirstWorker is the first configured agent that can work in a tree; one that
// only answers reviews and votes.
func (p *Project) FirstWorker() string {
	for _, g := range p.Settings.Agents() {
		if g.Use != "api" {
			return g.Name
		}
	}
	return ""
}
