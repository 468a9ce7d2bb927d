package cli

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// runHandle is a run, of a loop or of a plan, that a command drives in the
// foreground.
type runHandle struct {
	runKind
	start  func(context.Context, engine.Drive) (engine.Outcome, error)
	watch  func(engine.Update)
	screen *screen
	// asks: a person at this terminal answers questions in place.
	asks bool
}

// runKind is what differs in the foreground between loops and plans.
type runKind interface {
	// name is the kind in a word.
	name() string
	resume(ctx context.Context, id string, d engine.Drive) (engine.Outcome, error)
	outcome(ctx context.Context, id string) (engine.Outcome, error)
	// status is the outcome together with what the run asks.
	status(ctx context.Context, id string) (runStatus, error)
	// object writes the run for programs; report is the last message about it.
	object(ctx context.Context, id string) error
	report(ctx context.Context, id string) error
}

func (r *runHandle) drive(stops <-chan engine.Stop) engine.Drive {
	return engine.Drive{Watch: r.watch, Stops: stops, Rests: r.asks}
}

// foreground drives a run to where it stops: with the stops of a person,
// questions in place, one ending, and the exit code for that.
func (a *app) foreground(ctx context.Context, p *project.Project, r *runHandle) error {
	if err := a.held(); err != nil {
		return err
	}
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	stops, heard := a.listen(leave)
	defer heard.forget()
	now, err := r.start(ctx, r.drive(stops))
	for err == nil && now.NeedsPerson() && a.Asks() && !heard.any() {
		r.screen.clear()
		asking, done := heard.atPrompt(ctx)
		came, failed := a.askInPlace(asking, p, r, now.ID)
		done()
		if heard.any() {
			a.Say("\nleft; what it asks stays open, and %s asks again", next.Resume(now.ID))
			break
		}
		if err = failed; err != nil {
			break
		}
		rest, failed := r.atRest(ctx, now.ID)
		if err = failed; err != nil {
			break
		}
		now = rest.Outcome
		if came == staysOpen {
			r.asks = false // it is asked again when nothing else is left to do
			if rest.due.IsZero() {
				break
			}
		}
		if rest.stopped || rest.live {
			a.followed(rest)
			break
		}
		resumed, failed := r.resume(ctx, now.ID, r.drive(stops))
		if err = failed; err == nil || resumed.ID != "" {
			now = resumed
		}
	}
	r.screen.clear()
	switch {
	case err != nil && now.ID == "":
		return err
	case errors.Is(err, errLeft):
		a.Say("%s: %v; continue with: %s", now.ID, err, next.Resume(now.ID))
		return exit.With(exit.Terminated)
	case err != nil:
		return a.broken(ctx, r, now.ID, err)
	}
	return a.final(ctx, p, r, now, heard)
}

// followed reports that another process drives the run now.
func (a *app) followed(s runStatus) {
	if s.live && !s.stopped {
		a.Say("another process runs it; %s follows it", next.Follow(s.ID))
	}
}

// broken reports a run that ralph itself could not continue.
func (a *app) broken(ctx context.Context, r *runHandle, id string, err error) error {
	f := *exit.Classify(err)
	if f.Hint == "" || f.Code == exit.Internal {
		f.Hint = "what was recorded is safe; continue with: " + next.Resume(id)
	}
	if a.JSON {
		_ = r.object(ctx, id)
	}
	return &f
}

// final reports how the run stands now, and ends with the code for that.
func (a *app) final(ctx context.Context, p *project.Project, r *runHandle, now engine.Outcome, s *signals) error {
	if _, err := r.outcome(ctx, now.ID); err != nil && !errors.Is(err, engine.ErrNotFound) && p.Recorded() {
		return a.broken(ctx, r, now.ID, err)
	} else if err != nil || !p.Recorded() {
		return &exit.Error{
			Code: exit.Internal, Err: fmt.Errorf("the record of %s %s was deleted while it ran; its result cannot be relied on", r.name(), now.ID),
			Hint: "look at the branch " + now.Branch + "; an agent must not touch " + p.Home,
		}
	}
	if err := r.report(ctx, now.ID); err != nil {
		return err
	}
	if a.Handoff != nil && !a.Handoff.Detached() {
		a.Say("%s: %s; nothing goes on in the background", now.ID, now.Status)
	}
	switch {
	case s.told() && !now.Status.Terminal():
		return exit.With(exit.Terminated)
	case s.any() && !now.Status.Terminal():
		return exit.With(exit.Interrupted)
	}
	return exit.With(exit.CodeOf(now))
}

// loopRun is a loop in the foreground.
type loopRun struct {
	*app
	p *project.Project
}

// drive runs a loop in the foreground: lines while it works, the stops of a
// person, questions in place, one final summary or object.
func (a *app) drive(ctx context.Context, p *project.Project, events bool, start func(context.Context, engine.Drive) (loop.State, error)) error {
	screen := a.screen(events)
	return a.foreground(ctx, p, &runHandle{
		runKind: loopRun{a, p}, watch: a.unleashed(ctx, p, screen), screen: screen, asks: a.Asks(),
		start: func(ctx context.Context, d engine.Drive) (engine.Outcome, error) {
			s, err := start(ctx, d)
			return engine.LoopOutcome(s), err
		},
	})
}

func (loopRun) name() string { return "loop" }

func (r loopRun) resume(ctx context.Context, id string, d engine.Drive) (engine.Outcome, error) {
	s, err := r.p.Engine.Resume(ctx, id, engine.Options{}, d)
	return engine.LoopOutcome(s), err
}

func (r loopRun) outcome(ctx context.Context, id string) (engine.Outcome, error) {
	l, err := r.p.Engine.Show(ctx, id)
	return engine.LoopOutcome(l.State), err
}

func (r loopRun) status(ctx context.Context, id string) (runStatus, error) {
	return loopStatus(ctx, r.p, id)
}

func (r loopRun) object(ctx context.Context, id string) error { return r.loopObject(ctx, r.p, id) }

// report writes the object: on a terminal the last line has reported the end.
func (r loopRun) report(ctx context.Context, id string) error { return r.loopTold(ctx, r.p, id) }
