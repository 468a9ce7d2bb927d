package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"strconv"
	"time"

	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/planner"
	"ralph/internal/git"
	"ralph/internal/money"
	"ralph/internal/store"
	"ralph/internal/store/limits"
)

// project is a repository with ralph's memory of it: the one place where
// everything is wired together.
type project struct {
	// repo is nil for commands that only read ralph's own memory.
	repo     *git.Repo
	place    git.Place
	found    config.Found
	settings *config.Resolved
	store    *store.Store
	limits   *limits.Book
	session  money.Session
	engine   *local.Engine
	planner  *planner.Planner
	// home is <git common dir>/ralph, views <main tree>/.ralph ("" when bare).
	home, views string
	// prompt is the project's own template, "" for the built-in one.
	prompt string
}

// recorded: the database is still where others will look for it.
func (p *project) recorded() bool {
	info, err := os.Stat(filepath.Join(p.home, "ralph.db"))
	return err == nil && info.Size() > 0
}

func (p *project) close() {
	_ = p.store.Close()
	_ = p.limits.Close()
}

// open finds the repository, its configuration and its memory. Reading
// commands create nothing.
func (a *app) open(ctx context.Context, reading bool) (*project, error) {
	if reading && a.Getenv("GIT_DIR") == "" {
		if place, ok := git.Peek(a.Dir); ok {
			p := at(place)
			return p, a.connect(ctx, p, true)
		}
	}
	p, err := a.locate(ctx)
	if err != nil {
		return nil, err
	}
	if !reading {
		if err := a.configure(p); err != nil {
			return nil, err
		}
	}
	return p, a.connect(ctx, p, reading)
}

// at is the project of a place.
func at(place git.Place) *project {
	p := &project{place: place, home: filepath.Join(place.CommonDir, "ralph")}
	if place.MainRoot != "" {
		p.views = filepath.Join(place.MainRoot, ".ralph")
	}
	return p
}

// connect opens the memory of a located project.
func (a *app) connect(ctx context.Context, p *project, reading bool) (err error) {
	if err := a.knows(p); err != nil {
		return err
	}
	o := store.Options{Views: p.views, Bus: a.bus(p, reading), Owner: owner(a), ReadOnly: reading, Now: a.Now}
	if p.store, err = store.Open(ctx, p.home, o); err != nil {
		return err
	}
	if p.repo != nil {
		p.repo.OwnLog = o.Bus
	}
	retire := func(ctx context.Context, path string) error {
		return p.repo.RetireWorktree(ctx, filepath.Dir(path), path)
	}
	p.limits, p.session = a.limitsBook(reading), a.purse(p)
	l := local.Options{
		Fault: a.Fault, Now: a.Now, Owner: owner(a), Retire: retire,
		Limits: p.limits, Warn: a.warnLimits(), Session: p.session,
	}
	if p.repo != nil {
		l.Checkpoints = engine.CheckpointRefs{Repo: p.repo}
	}
	if p.settings != nil {
		l.CheckpointEvery = p.settings.CheckpointEvery()
	}
	p.engine = local.New(p.store, a.hands(p), l)
	p.planner = &planner.Planner{
		Engine: p.engine, Store: p.store, Repo: p.repo, Now: a.Now, By: owner(a), Views: p.views, Fault: a.Fault, Hands: a.hands(p),
	}
	return nil
}

// bus is where the event bus is written; empty: among the views. It is the main
// tree's ralph.yaml that says so, wherever the command is called: all writers
// must agree.
func (a *app) bus(p *project, reading bool) string {
	if reading || p.place.MainRoot == "" {
		return ""
	}
	if p.settings != nil && p.repo != nil && p.repo.Root == p.place.MainRoot {
		return string(p.settings.Settings.Bus)
	}
	return config.Bus(p.place.MainRoot, a.ExplicitConfig(), a.Env)
}

// locate finds the repository without opening its memory.
func (a *app) locate(ctx context.Context) (*project, error) {
	repo, err := git.OpenEnv(ctx, a.Dir, a.Env)
	if err != nil {
		return nil, err
	}
	p := at(git.Place{CommonDir: repo.CommonDir, MainRoot: repo.MainRoot})
	p.repo = repo
	return p, nil
}

// configure reads ralph.yaml, the environment and the user's file.
func (a *app) configure(p *project, flags ...config.Setting) (err error) {
	root := p.repo.Root
	if root == "" {
		root = p.repo.CommonDir
	}
	if p.found, err = config.Find(root, a.ExplicitConfig(), a.Env); err != nil {
		return err
	}
	p.settings, err = config.Resolve(config.Sources{Flags: flags, Env: a.Env, Project: p.found.Project, User: p.found.User})
	return err
}

// hands makes the worker of one loop.
func (a *app) hands(p *project) func(dir string) *engine.Worker {
	return func(dir string) *engine.Worker {
		return &engine.Worker{
			Repo: p.repo, Drivers: drivers(), TreeRoot: a.treeRoot(p),
			StateFile: p.stateFile(filepath.Base(dir)), Template: p.prompt,
			Env: engine.Environment(a.Env), Grace: a.Grace, Now: a.Now, Prices: p.prices(), Session: p.session, Confine: a.confine(p),
		}
	}
}

// prices of models, as far as they are known.
func (p *project) prices() money.Prices {
	if p.settings == nil {
		return money.Builtin(nil)
	}
	return p.settings.Prices()
}

// limitsDir holds the memory of usage limits, for all repositories.
func (a *app) limitsDir() string { return filepath.Join(a.stateHome(), "ralph", "limits") }

// grace is what a process gets between being asked to end and being ended.
const grace = 10 * time.Second

// stateFile is the view of one loop that its agent may read; a bare repository
// has no views.
func (p *project) stateFile(id string) string {
	if p.views == "" {
		return ""
	}
	return filepath.Join(p.views, "loops", id, "state.md")
}

// treeRoot is where the worktrees of this repository live: outside of it,
// since test runners and file watchers scan what is inside.
func (a *app) treeRoot(p *project) string {
	name := p.nameWithHash()
	if p.settings != nil && p.settings.Settings.Isolation.Dir != "" {
		dir := string(p.settings.Settings.Isolation.Dir)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(p.root(), dir)
		}
		return filepath.Join(dir, name)
	}
	return filepath.Join(a.stateHome(), "ralph", "worktrees", name)
}

// nameWithHash tells the repository from others of the same name.
func (p *project) nameWithHash() string { return filepath.Base(p.root()) + "-" + p.hash() }

func (p *project) hash() string {
	sum := sha256.Sum256([]byte(p.place.CommonDir))
	return hex.EncodeToString(sum[:4])
}

func (p *project) root() string {
	if p.place.MainRoot != "" {
		return p.place.MainRoot
	}
	return p.place.CommonDir
}

func (a *app) stateHome() string {
	if dir := a.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	home := a.Getenv("HOME")
	if !filepath.IsAbs(home) {
		// No HOME, as under cron: what the system says of the person.
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	if !filepath.IsAbs(home) {
		return filepath.Join(os.TempDir(), "ralph-"+strconv.Itoa(os.Getuid()))
	}
	return filepath.Join(home, ".local", "state")
}

// template is the project's own prompt, if it has one.
func (p *project) template() (string, error) {
	if p.settings == nil || p.settings.Settings.Prompt.Dir == "" || p.repo == nil || p.repo.Root == "" {
		return "", nil
	}
	name := path.Join(string(p.settings.Settings.Prompt.Dir), "implementer.md.tmpl")
	root, err := os.OpenRoot(p.repo.Root)
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

// owner is who gave this command: the user's name, also where the environment
// does not tell it, as in a container.
func owner(a *app) string {
	if u := cmp.Or(a.Getenv("USER"), a.Getenv("LOGNAME")); u != "" {
		return u
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "a person"
}
