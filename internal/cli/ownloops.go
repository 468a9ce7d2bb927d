package cli

import (
	"cmp"
	"context"
	"io"

	"ralph/internal/cli/agentloop"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// ownLoops holds an agent in a sandbox to its own loop and to those that it began inside of
// it. Of others it can only read.
type ownLoops struct {
	project.Loops
	own string
}

func (o ownLoops) check(ctx context.Context, id string) error {
	if id == o.own {
		return nil
	}
	l, err := o.Show(ctx, id)
	if err == nil && l.State.Inside != o.own {
		err = exit.UsageError("name a loop that you began, or leave the name out", "the agent of loop %s acts for that loop and for those that it began, not for %s", o.own, id)
	}
	return err
}

// Init begins a loop inside of the agent's own.
func (o ownLoops) Init(ctx context.Context, s loop.Spec, opts engine.Options) (engine.Loop, error) {
	s.Inside, s.Parent = o.own, cmp.Or(s.Parent, o.own)
	if err := agentloop.MayJoin(ctx, o.Loops, s); err != nil {
		return engine.Loop{}, err
	}
	return o.Loops.Init(ctx, s, opts)
}

func (o ownLoops) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	if err := o.check(ctx, id); err != nil {
		return loop.State{}, err
	}
	return o.Loops.Send(ctx, id, c)
}

func (o ownLoops) Check(ctx context.Context, id, dir string) (engine.Loop, error) {
	if err := o.check(ctx, id); err != nil {
		return engine.Loop{}, err
	}
	return o.Loops.Check(ctx, id, dir)
}

func (o ownLoops) Archive(ctx context.Context, id string) error {
	if err := o.check(ctx, id); err != nil {
		return err
	}
	return o.Loops.Archive(ctx, id)
}

func (o ownLoops) Publish(ctx context.Context, id, path, note string, content io.Reader) (loop.Artifact, error) {
	if err := o.check(ctx, id); err != nil {
		return loop.Artifact{}, err
	}
	return o.Loops.Publish(ctx, id, path, note, content)
}

func (o ownLoops) Take(ctx context.Context, n int64, by string, w io.Writer) (loop.Artifact, error) {
	if err := o.check(ctx, by); err != nil {
		return loop.Artifact{}, err
	}
	return o.Loops.Take(ctx, n, by, w)
}
