package project

import (
	"cmp"
	"context"
	"os"

	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
)

// Peer is a server to or from which loops of a repository of this machine are moved.
type Peer struct {
	*move.Mover
	connection Server
}

// Close ends the connection.
func (p *Peer) Close() { p.connection.Close() }

// Peer connects to the server at an address, for a project whose loops are those of this
// machine.
func (a *Opener) Peer(ctx context.Context, p *Project, to Address) (*Peer, error) {
	team := *a
	team.TeamAddress = &to
	there := &Project{Repo: p.Repo, Place: p.Place}
	if err := team.teamOf(ctx, there); err != nil {
		return nil, err
	}
	if err := there.travel.Files.Check(ctx); err != nil {
		there.server.Close()
		return nil, err
	}
	m, err := a.Mover(p)
	if err != nil {
		there.server.Close()
		return nil, err
	}
	m.There, m.Server, m.Travel = loop.Home{Engine: to.String()}, there.server.Loops(), there.travel
	m.Plans.Server, m.Plans.Travel, m.Plans.Budgets = there.server.Plans(), there.travel, there.shared.Budgets
	return &Peer{m, there.server}, nil
}

// Mover has the end of this machine only, for runs whose server is lost.
func (a *Opener) Mover(p *Project) (*move.Mover, error) {
	here, err := a.home(p)
	return &move.Mover{
		Stored: stored.Copies{Store: p.Store}, Local: p.Local, Here: here, Now: a.Now, Fault: a.Fault,
		Plans: move.Plans{
			Stored: stored.PlansOf(p.Store), Local: p.Plans,
			Root: p.TreeOrHome(), Path: p.planPath(false), Name: p.planName,
		},
	}, err
}

// home is the local engine of a repository.
func (a *Opener) home(p *Project) (loop.Home, error) {
	machine, err := a.machine()
	host, _ := os.Hostname()
	return loop.Home{Engine: loop.LocalEngine, Place: host + ":" + cmp.Or(p.Place.MainRoot, p.Place.CommonDir), Machine: machine}, err
}
