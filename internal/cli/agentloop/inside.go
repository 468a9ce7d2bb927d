package agentloop

import (
	"context"
	"errors"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// A loop that the agent of another one began has gates that this agent chose. They run
// confined as the agent is where that agent checks them. Others do not check them, and the loop
// is no part of what others began.

// refuseOthers refuses to run the gates of a loop that the agent of another loop began.
func (c *Commands) refuseOthers(l engine.Loop) error {
	if in := l.State.Inside; in != "" && in != c.Getenv("RALPH_LOOP_ID") {
		return exit.UsageError(next.Status(in), "the agent of loop %s began loop %s, and alone runs its gates", in, l.State.ID)
	}
	return nil
}

// MayJoin refuses a part of an orchestration that others began.
func MayJoin(ctx context.Context, loops project.Loops, s loop.Spec) error {
	if s.Parent == "" {
		return nil
	}
	parts, err := loops.List(ctx, engine.Filter{Archived: true, Mode: loop.AgentDriven, Parent: s.Parent})
	if err != nil {
		return err
	}
	whole, err := loops.Show(ctx, s.Parent)
	switch {
	case err == nil && s.Inside != "" && s.Parent != s.Inside:
		parts = append(parts, whole)
	case err != nil && !errors.Is(err, engine.ErrNotFound):
		return err
	}
	for _, l := range parts {
		if l.State.Inside != s.Inside {
			return exit.UsageError("name another --parent", "%s has loops that others began, such as %s", s.Parent, l.State.ID)
		}
	}
	return nil
}
