package store

import (
	"context"

	"go.temporal.io/sdk/client"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Project is a connection with the loops and plans of a project.
type Project struct {
	client client.Client
	o      Options
	loops  *Store[loop.State, loop.Event]
	plans  *Store[plan.State, plan.Event]
}

// OpenProject returns the runs of a project, and closes the client with them, also where it
// fails. A project whose records were not made with the key is refused with engine.ErrKey.
func OpenProject(ctx context.Context, c client.Client, o Options) (*Project, error) {
	if err := sameKey(ctx, c, o); err != nil {
		c.Close()
		return nil, err
	}
	loops, err := Open(c, Loops(), o)
	if err != nil {
		c.Close()
		return nil, err
	}
	plans, err := open(c, Plans(), o)
	if err != nil {
		loops.Close()
		c.Close()
		return nil, err
	}
	return &Project{c, o, loops, plans}, nil
}

// Loops are the loops of the project.
func (p *Project) Loops() engine.SharedLoops { return Shared[loop.State, loop.Event]{p.loops} }

// Plans are the plans of the project.
func (p *Project) Plans() engine.SharedPlans { return Shared[plan.State, plan.Event]{p.plans} }

// Close ends the connection.
func (p *Project) Close() {
	p.plans.Close()
	p.loops.Close()
	p.client.Close()
}
