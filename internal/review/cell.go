package review

import (
	"context"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Cell is what holds one reviewer while it works.
type Cell struct {
	// Inside is the sandbox, nil where nothing holds the reviewer; By is what
	// does, and stands with its vote.
	Sandbox *proc.Sandbox
	By      loop.Holder
	// Env is the whole environment of the reviewer; nil is the desk's.
	Env []string
	// Leave removes what was made for it; nil where there is nothing.
	Leave func()
}

// hold puts a reviewer into its cell. One that cannot be held as it must be is
// an error, and must not be asked.
func (d Desk) hold(ctx context.Context, a loop.Agent) (Cell, error) {
	var c Cell
	if d.Hold != nil {
		var err error
		if c, err = d.Hold(ctx, a); err != nil {
			return c, fmt.Errorf("not asked: %w", err)
		}
	}
	if c.Env == nil {
		c.Env = d.Env
	}
	if c.Leave == nil {
		c.Leave = func() {}
	}
	return c, nil
}
