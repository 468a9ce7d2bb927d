package watch

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/tui"
)

// client is the engine of a screen. It reads without creating anything, and
// opens the store for writing when the first command is sent.
type client struct {
	engine.Loops
	from  *Commands
	place *project.Project

	mu      sync.Mutex
	writing *project.Project

	members members
}

// writer is the memory for writing. An obstacle may be removed while
// the screen is looked at, so that each command tries again.
func (c *client) writer(ctx context.Context) (*project.Project, error) {
	if c.from.TeamAddress != nil { // its copies are written all the time
		return c.place, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writing == nil {
		p, err := c.from.Open(ctx, false)
		if err != nil {
			return nil, hinted(err)
		}
		c.writing = p
	}
	return c.writing, nil
}

func (c *client) close() {
	if c.writing != nil {
		c.writing.Close()
	}
}

// Show reads one loop, and records an end that is due.
func (c *client) Show(ctx context.Context, id string) (engine.Loop, error) {
	l, err := c.Loops.Show(ctx, id)
	if err != nil || !l.Due || c.from.RecordDue(ctx, c.place, l) != nil {
		return l, err
	}
	return c.Loops.Show(ctx, id)
}

// Send hands a command to a loop.
func (c *client) Send(ctx context.Context, id string, command engine.Command) (engine.Outcome, error) {
	p, err := c.writer(ctx)
	if err != nil {
		return engine.Outcome{}, err
	}
	s, err := p.Loops.Send(ctx, id, command)
	if errors.Is(err, engine.ErrNotFound) {
		plan, err := p.Plans.Send(ctx, id, command)
		return engine.PlanOutcome(plan), err
	}
	if err == nil && command.Kind == engine.Steer {
		_, err = c.from.runner.Steered(ctx, p, id)
	}
	return engine.LoopOutcome(s), hinted(err)
}

// answer answers a question as every front end does. The screen asks twice for words that
// are none of the options.
func (c *client) answer(ctx context.Context, a tui.Answer) (string, error) {
	p, err := c.writer(ctx)
	if err != nil {
		return "", err
	}
	words, err := c.from.runner.AnswerQuestion(ctx, p, foreground.Reply{
		Run: a.Run, Instance: a.Question.Instance(), Answer: a.Text, By: c.from.Owner(), Other: true, Continue: true,
	})
	return words, hinted(err)
}

// resume starts a process that continues a loop; one that its agent drives
// needs none.
func (c *client) resume(ctx context.Context, id string) error {
	l, err := c.Loops.Show(ctx, id)
	if errors.Is(err, engine.ErrNotFound) {
		return hinted(c.from.runner.ResumeInBackground(ctx, c.place, id))
	}
	if err != nil {
		return err
	}
	if l.State.Mode != loop.AgentDriven {
		if own, err := c.place.Plans.Show(ctx, l.State.Parent); err == nil && own.Live {
			return nil
		}
		if err := c.awaitRelease(ctx, l); err != nil {
			return err
		}
		return hinted(c.from.runner.ResumeInBackground(ctx, c.place, id))
	}
	p, err := c.writer(ctx)
	if err != nil {
		return err
	}
	return runs.Unpause(ctx, c.from.Opener, p, l, engine.Options{})
}

// awaitRelease waits a while for the process that has paused a loop to release it.
func (c *client) awaitRelease(ctx context.Context, l engine.Loop) error {
	const patience = 30 // looks
	for n := 0; n < patience && l.Live && l.State.Status == loop.Paused; n++ {
		if err := command.Sleep(ctx, foreground.PollEvery); err != nil {
			return err
		}
		var err error
		if l, err = c.Loops.Show(ctx, l.State.ID); err != nil {
			return err
		}
	}
	return nil
}

// hinted is an error with its hint in one line.
func hinted(err error) error {
	if f, ok := errors.AsType[*exit.Error](err); ok && f.Hint != "" {
		return fmt.Errorf("%w; try: %s", err, f.Hint)
	}
	return err
}
