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
	server Server
}

// Close ends the connection.
func (p *Peer) Close() { p.server.Close() }

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
	here, err := a.home(p)
	if err != nil {
		there.server.Close()
		return nil, err
	}
	return &Peer{
		Mover: &move.Mover{
			Copies: stored.Copies{Store: p.Store}, Local: p.Local, Server: there.server.Loops(), Travel: there.travel,
			Here: here, There: loop.Home{Engine: to.String()}, Now: a.Now, Fault: a.Fault,
			Plans: move.Plans{
				Here: stored.Plans{Store: p.Store}, There: there.server.Plans(), Local: p.Plans, Travel: there.travel,
				Root: p.TreeOrHome(), Path: p.planPath(false), Name: p.planName,
			},
		},
		server: there.server,
	}, nil
}

// home is the local engine of a repository.
func (a *Opener) home(p *Project) (loop.Home, error) {
	machine, err := a.machine()
	host, _ := os.Hostname()
	return loop.Home{Engine: loop.LocalEngine, Place: host + ":" + cmp.Or(p.Place.MainRoot, p.Place.CommonDir), Machine: machine}, err
}
