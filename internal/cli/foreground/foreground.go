package foreground

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/next"
)

// runHandle is a run, of a loop or of a plan, that a command drives in the
// foreground.
type runHandle struct {
	runKind
	start  func(context.Context, engine.Drive) (engine.Outcome, error)
	watch  func(engine.Update)
	screen *Screen
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
func (a *Runner) foreground(ctx context.Context, p *project.Project, r *runHandle) error {
	if err := a.held(); err != nil {
		return err
	}
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	stops, heard := a.Listen(leave)
	defer heard.Forget()
	now, err := r.start(ctx, r.drive(stops))
	for err == nil && now.NeedsPerson() && a.Asks() && !heard.Any() {
		r.screen.Clear()
		asking, done := heard.atPrompt(ctx)
		came, failed := a.askInPlace(asking, p, r, now.ID)
		done()
		if heard.Any() {
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
	r.screen.Clear()
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
func (a *Runner) followed(s runStatus) {
	if s.live && !s.stopped {
		a.Say("another process runs it; %s follows it", next.Follow(s.ID))
	}
}

// broken reports a run that ralph itself could not continue.
func (a *Runner) broken(ctx context.Context, r *runHandle, id string, err error) error {
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
func (a *Runner) final(ctx context.Context, p *project.Project, r *runHandle, now engine.Outcome, s *Signals) error {
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
	case s.Any() && !now.Status.Terminal():
		return exit.With(exit.Interrupted)
	}
	return exit.With(exit.CodeOf(now))
}
