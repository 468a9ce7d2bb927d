// Command ralph-worker is ralph with the engine of a team linked: it drives loops whose
// record is on a Temporal server, and ralph hands it the commands about them.
package main

import (
	"context"
	"os"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/temporal/store"

	"go.temporal.io/sdk/client"
)

func main() {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	engines := map[string]project.Dialer{"temporal": dial}
	os.Exit(cli.Main(os.Args[1:], command.Process(), cli.Options{Engines: engines}))
}

// server is a connection with the loops of a project.
type server struct {
	client client.Client
	loops  *store.Store[loop.State, loop.Event]
}

func dial(ctx context.Context, a project.Address, as project.Caller) (project.Server, error) {
	c, err := store.Dial(ctx, a.Host, a.Namespace)
	if err != nil {
		return nil, err
	}
	loops, err := store.Open(c, store.Loops(), store.Options{Project: as.Project, Owner: as.Owner, Heartbeat: as.Silence})
	if err != nil {
		c.Close()
		return nil, err
	}
	return &server{c, loops}, nil
}

func (s *server) Loops() engine.SharedLoops { return store.Shared{Store: s.loops} }

func (s *server) Close() {
	s.loops.Close()
	s.client.Close()
}
