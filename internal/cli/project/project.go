package project

import (
	"cmp"
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
	Loops    Loops
	// Local is the engine of this machine: Loops, unless that shows loops of a team.
	Local *local.Engine
	Plans *planner.Planner
	// Team are the plans and loops of a team as a command sees them; nil where the project
	// has those of this machine, or is the mirror of a worker.
	Team *team.Plans
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
	mirror   *team.Engine // of a worker
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

// At is the project of a place.
func At(place git.Location) *Project {
	p := &Project{Place: place, Home: filepath.Join(place.CommonDir, "ralph")}
	if place.MainRoot != "" {
		p.Views = filepath.Join(place.MainRoot, ".ralph")
	}
	return p
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
			Repo: p.Repo, Remote: p.remote, Drivers: registry.Drivers(), TreeRoot: a.TreeRoot(p),
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
		if !g.OnlyAnswers() {
			return g.Name
		}
	}
	return ""
}
