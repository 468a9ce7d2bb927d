package project

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/stored"
	"ralph/internal/engine/team"
	"ralph/internal/git"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/shelf"
)

// Loops is what commands ask of the loops of a repository.
type Loops interface {
	engine.Loops
	engine.Budgets
	engine.Learner
	// Recall finds what earlier loops taught a loop; Publish, Artifacts and Take are about
	// files that loops offer each other.
	Recall(ctx context.Context, s loop.State, files []string) ([]learn.Known, error)
	Publish(ctx context.Context, id, path, note string, content io.Reader) (loop.Artifact, error)
	Artifacts(ctx context.Context) ([]loop.Artifact, error)
	Take(ctx context.Context, n int64, by string, w io.Writer) (loop.Artifact, error)
	// Bound is the newest active loop that an agent's session drives; "" is none.
	Bound(ctx context.Context, session string) (string, error)
}

// Server is a connection to a server that keeps the record of loops.
type Server interface {
	Loops() engine.SharedLoops
	Plans() engine.SharedPlans
	engine.Roster
	engine.Places
	// Accounts is where the machines of a team share the health of named accounts.
	Accounts() shelf.Shelf
	// Budget is where they share the budget of a plan.
	Budget(plan string) shelf.Shelf
	Close()
}

// Dialer connects to the server at an address.
type Dialer func(ctx context.Context, address Address, as Caller) (Server, error)

// Caller is a process as a server knows it. Silence is how long it may be silent before
// others may take its loops; 0 is the server's own number. Key encrypts what the server
// stores: 32 random bytes, or nil for none.
type Caller struct {
	Project, Owner string
	Silence        time.Duration
	Key            []byte
}

// errNoRemote is returned where a repository has no remote through which a team's work
// could travel.
var errNoRemote = errors.New("the repository has no remote named origin")

// teamOf connects to the server of a project, and to the remote through which the work of
// its loops travels.
func (a *Opener) teamOf(ctx context.Context, p *Project) (err error) {
	if p.remote == "" {
		if p.remote, err = p.Repo.RemoteURL(ctx, "origin"); err != nil || p.remote == "" {
			return &exit.Error{Code: exit.Usage, Err: errors.Join(err, errNoRemote), Hint: "git remote add origin URL: workers get the work from there"}
		}
	}
	if p.first == "" {
		if p.first, err = firstOfClone(ctx, p); err != nil {
			return err
		}
	}
	name, err := teamName(p.remote, p.first)
	if err != nil {
		return err
	}
	key, err := a.codecKey()
	if err != nil {
		return err
	}
	dial := a.Engines[a.TeamAddress.Scheme]
	p.server, err = dial(ctx, *a.TeamAddress, Caller{name, a.Owner(), a.Silence, key})
	if errors.Is(err, engine.ErrKey) {
		return err
	}
	if err != nil {
		return &exit.Error{Code: exit.Missing, Err: fmt.Errorf("connect to %s: %w", a.TeamAddress.Host, err), Hint: "start the server, or check --engine"}
	}
	files, err := a.sharedFiles(*a.TeamAddress, key)
	if err != nil {
		p.server.Close()
		return err
	}
	p.travel = team.Travel{
		Remote: git.Remote{Repo: p.Repo, URL: p.remote, Env: a.Env},
		Files:  &team.Files{In: files, Project: name},
		Warn:   func(err error) { a.Say("! %v; trying again", err) },
	}
	p.shared = &stored.Shared{Server: p.server.Loops(), Fetch: p.travel.Fetch, Budgets: p.planBudgets(a)}
	if a.IsWorker {
		p.shared.Publish, p.shared.Places = p.travel.Publish, p.server
	}
	return nil
}

// planBudgets are those of the plans of a team.
func (p *Project) planBudgets(a *Opener) *stored.PlanBudgets {
	return &stored.PlanBudgets{
		Shelf: p.server.Budget, Loops: p.server.Loops(), Plans: p.server.Plans(), Now: a.Now, Patient: a.IsWorker,
	}
}

// teamHome is where the copies of the loops of a team lie, beside the loops of this
// machine.
func (p *Project) teamHome(a Address) string {
	sum := sha256.Sum256([]byte(a.Scheme + "://" + a.Host + "/" + a.Namespace))
	return filepath.Join(p.Place.CommonDir, "ralph", "team", hex.EncodeToString(sum[:4]))
}

// HomeOf is where the database is that a command of this opener reads: that of the loops
// of this machine, or the copies of the loops of a team.
func (a *Opener) HomeOf(p *Project) string {
	if a.TeamAddress == nil || a.IsWorker {
		return p.Home
	}
	return p.teamHome(*a.TeamAddress)
}

// Joined reports whether a repository belongs among those that a command shows together:
// all that ran on this machine, or those that were used with the server of a team.
func (a *Opener) Joined(p *Project) bool {
	if a.TeamAddress == nil {
		return true
	}
	_, err := os.Stat(a.HomeOf(p))
	return err == nil
}

// teamEngine is the engine of the loops of a team on this machine.
func (a *Opener) teamEngine(p *Project, e *local.Engine) *team.Engine {
	shared := *p.shared
	shared.Loops = stored.LoopsOf(p.Store)
	return &team.Engine{Engine: e, Shared: shared, Travel: p.travel, Now: a.Now, Dir: p.Store.LoopDir, PlanDir: p.Store.Plans().Dir, CleanedFile: filepath.Join(a.HomeOf(p), "cleaned.json"), Say: a.Say, Leaves: a.Leaves, OfPlans: a.IsWorker, Roster: p.server}
}

// follow lets commands see the loops of the team through copies on this machine.
func (a *Opener) follow(ctx context.Context, p *Project, t *team.Engine) error {
	if err := t.Refresh(ctx); err != nil {
		return err
	}
	p.Loops = t
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() { defer close(ended); t.Follow(ctx) }()
	p.unfollow = func() { stop(); <-ended }
	return nil
}

// OpenMirror opens the bare repository of this machine in which a worker drives loops of
// the remote at an address. It is made where it is missing.
func (a *Opener) OpenMirror(ctx context.Context, remote string) (*Project, error) {
	machine, err := a.machine()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(remote))
	// The name differs on each machine: a loop whose repository is another one was run
	// elsewhere.
	dir := filepath.Join(a.StateHome(), "ralph", "mirrors", machine, remoteName(remote)+"-"+hex.EncodeToString(sum[:4])+".git")
	if err := git.InitBare(ctx, dir, a.Env); err != nil {
		return nil, err
	}
	a.Dir, a.IsWorker = dir, true
	p, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	p.remote = remote
	if p.first, err = a.firstOfRemote(ctx, p); err != nil {
		return nil, err
	}
	if err := a.Configure(p); err != nil {
		return nil, err
	}
	return p, a.Connect(ctx, p, false)
}

// machine is a random name of this machine's state directory.
func (a *Opener) machine() (string, error) {
	dir := filepath.Join(a.StateHome(), "ralph")
	file := filepath.Join(dir, "machine")
	if name, err := os.ReadFile(file); err == nil {
		return strings.TrimSpace(string(name)), nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		name, err := os.ReadFile(file)
		return strings.TrimSpace(string(name)), err
	}
	if err != nil {
		return "", err
	}
	name := hex.EncodeToString(b)
	_, err = f.WriteString(name + "\n")
	return name, errors.Join(err, f.Close())
}

// Announce reports this worker to the team until ctx ends.
func (p *Project) Announce(ctx context.Context, now func() engine.WorkerProcess) {
	p.server.Announce(ctx, now)
}

// Workers are the workers of the team.
func (p *Project) Workers(ctx context.Context) ([]engine.WorkerProcess, error) {
	return p.server.Workers(ctx)
}

// TeamWorker is what a worker of this project drives.
func (p *Project) TeamWorker() team.Worker {
	return team.Worker{
		Loops: p.Loops, Server: p.shared.Server, Usable: p.travel.Usable, Roster: p.server, Places: p.server,
		Plans: team.PlanWork{Plans: p.Plans, Server: p.server.Plans(), Usable: p.travel.UsablePlan, Continues: p.Plans.Continues},
	}
}

// Mirror is what a worker of this project has on this machine.
func (p *Project) Mirror() team.Mirror {
	return team.Mirror{Engine: p.mirror, Plans: p.server.Plans()}
}
