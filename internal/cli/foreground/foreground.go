package foreground

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/proc"
	"ralph/internal/store"
)

// foregroundRun is a run that a command drives in the foreground. It has no id before it
// has started.
type foregroundRun struct {
	kind  string
	place loop.Place
	// start starts or resumes the run; read returns it once it is recorded.
	start  func(context.Context, engine.Drive) (engine.Outcome, error)
	read   func(ctx context.Context, id string) (runs.Run, error)
	watch  func(engine.Update)
	screen *Screen
	// asks: a person at this terminal answers questions in place.
	asks bool
}

func (r *foregroundRun) drive(stops <-chan engine.Stop) engine.Drive {
	return engine.Drive{Watch: r.watch, Place: r.place, Stops: stops, Rests: r.asks}
}

// foreground drives a run to where it stops: with the stops of a person,
// questions in place, one ending, and the exit code for that.
func (a *Runner) foreground(ctx context.Context, p *project.Project, r *foregroundRun) error {
	if err := a.starterWaits(); err != nil {
		return err
	}
	a.NoteForeground(p)
	defer a.Notifying(ctx, p)()
	if p.Settings == nil || p.Settings.Settings.KeepAwake.On() {
		defer proc.KeepAwake()()
	}
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	stops, heard := a.Listen(leave)
	defer heard.Forget()
	now, err := r.start(ctx, r.drive(stops))
	if err == nil && a.Leaves {
		return a.sayStarted(now.ID, func() error {
			run, err := r.read(ctx, now.ID)
			if err != nil {
				return err
			}
			return run.Write(ctx)
		})
	}
	for err == nil && now.NeedsPerson() && a.Asks() && !heard.Any() {
		r.screen.Clear()
		run, failed := r.read(ctx, now.ID)
		if err = failed; err != nil {
			break
		}
		asking, done := heard.atPrompt(ctx)
		came, failed := a.askInPlace(asking, p, run)
		done()
		if heard.Any() {
			a.Say("\nleft; what it asks stays open, and %s asks again", next.Resume(now.ID))
			break
		}
		if err = failed; err != nil {
			break
		}
		rest, failed := atRest(ctx, run)
		if err = failed; err != nil {
			break
		}
		now = rest.Outcome
		if came == staysOpen {
			r.asks = false // it is asked again when nothing else is left to do
			if rest.Due.IsZero() {
				break
			}
		}
		if rest.Stopped || rest.Live {
			a.followed(rest)
			break
		}
		resumed, failed := run.Resume(ctx, engine.Options{}, r.drive(stops))
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
func (a *Runner) followed(s runs.Waiting) {
	if s.Live && !s.Stopped {
		a.Say("another process runs it; %s follows it", next.Follow(s.ID))
	}
}

// broken reports a run that ralph itself could not continue.
func (a *Runner) broken(ctx context.Context, r *foregroundRun, id string, err error) error {
	f := *exit.Classify(err)
	if f.Hint == "" || f.Code == exit.Internal && !errors.Is(err, engine.ErrDamaged) && !errors.As(err, new(*store.CorruptError)) {
		f.Hint = "what was recorded is safe; continue with: " + next.Resume(id)
	}
	if a.JSON {
		if run, err := r.read(ctx, id); err == nil {
			_ = run.Write(ctx)
		}
	}
	return &f
}

// final reports how the run stands now, and ends with the code for that.
func (a *Runner) final(ctx context.Context, p *project.Project, r *foregroundRun, now engine.Outcome, s *Signals) error {
	run, err := r.read(ctx, now.ID)
	if err != nil && !errors.Is(err, engine.ErrNotFound) && p.Recorded() {
		return a.broken(ctx, r, now.ID, err)
	} else if err != nil || !p.Recorded() {
		return &exit.Error{
			Code: exit.Internal, Err: fmt.Errorf("the record of %s %s was deleted while it ran; its result cannot be relied on", r.kind, now.ID),
			Hint: "look at the branch " + now.Branch + "; an agent must not touch " + p.Home,
		}
	}
	if err := run.Ending(ctx); err != nil {
		return err
	}
	if a.Handoff != nil && !a.Handoff.Detached() {
		a.Say("%s: %s; nothing runs in the background", now.ID, now.Status)
	}
	switch {
	case s.terminated() && !now.Status.Terminal():
		return exit.With(exit.Terminated)
	case s.Any() && !now.Status.Terminal():
		return exit.With(exit.Interrupted)
	}
	return exit.With(exit.CodeOf(now))
}
