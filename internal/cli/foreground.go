package cli

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// course is a run in the foreground, of a loop or of a plan. Of a plan's state
// only what both have is filled in: id, status, reason, branch.
type course struct {
	// what runs, in a word.
	what string

	begin func(context.Context, <-chan engine.Stop) (loop.State, error)
	// stands tells how it stands that waits for a person, and what it asks.
	stands func(ctx context.Context, id string) (outlook, error)
	goOn   func(ctx context.Context, id string, stops <-chan engine.Stop) (loop.State, error)
	// alone: something goes on although its questions were left open.
	alone func(outlook) bool

	// known fails where there is no record. object writes it for programs, tell
	// is the last word about it for whoever reads.
	known, object, tell func(ctx context.Context, id string) error
}

// foreground runs a course to where it stops: with the stops of a person,
// questions in place, one ending, and the exit code for that.
func (a *app) foreground(ctx context.Context, p *project, screen *screen, c course) error {
	if err := a.held(); err != nil {
		return err
	}
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	stops, heard := a.listen(leave)
	defer heard.forget()
	state, err := c.begin(ctx, stops)
	for err == nil && state.Status == loop.Waiting && state.Reason == loop.ForHuman && a.asks() && !heard.any() {
		screen.clear()
		asking, done := heard.atPrompt(ctx)
		came, failed := a.askInPlace(asking, p, c, state.ID)
		done()
		if heard.any() {
			a.say("\nleft; what it asks stays open, and ralph resume %s asks again", state.ID)
			break
		}
		if err = failed; err != nil {
			break
		}
		now, failed := c.atRest(ctx, state.ID)
		if err = failed; err != nil || came == staysOpen && !c.alone(now) {
			break
		}
		state = now.state
		if now.stopped || now.live {
			a.followed(state.ID, now)
			break
		}
		state, err = c.goOn(ctx, state.ID, stops)
	}
	screen.clear()
	switch {
	case err != nil && state.ID == "":
		return err
	case errors.Is(err, errLeft):
		a.say("%s: %v; go on with ralph resume %s", state.ID, err, state.ID)
		return ends(exitTerminated)
	case err != nil:
		return a.broken(ctx, c, state.ID, err)
	}
	return a.final(ctx, p, c, state, heard)
}

// followed says who goes on with a run, if somebody else does.
func (a *app) followed(id string, o outlook) {
	if o.live && !o.stopped {
		a.say("somebody else goes on with it; ralph logs %s -f follows it", id)
	}
}

// broken reports a run that ralph itself could not go on with.
func (a *app) broken(ctx context.Context, c course, id string, err error) error {
	f := *classify(err)
	if f.hint == "" || f.code == exitInternal {
		f.hint = "what was recorded is safe; go on with ralph resume " + id
	}
	if a.json {
		_ = c.object(ctx, id)
	}
	return &f
}

// final says how the run stands now, and ends with the code for that.
func (a *app) final(ctx context.Context, p *project, c course, state loop.State, s *signals) error {
	if err := c.known(ctx, state.ID); err != nil || !p.recorded() {
		return &failure{
			code: exitInternal, err: fmt.Errorf("the record of %s %s was deleted while it ran; its result cannot be relied on", c.what, state.ID),
			hint: "look at the branch " + state.Branch + "; an agent must not touch " + p.home,
		}
	}
	if err := c.tell(ctx, state.ID); err != nil {
		return err
	}
	if a.leash != nil && !a.leash.Free() {
		a.say("%s: %s; nothing goes on in the background", state.ID, state.Status)
	}
	switch {
	case s.told() && !state.Status.Terminal():
		return ends(exitTerminated)
	case s.any() && !state.Status.Terminal():
		return ends(exitInterrupted)
	}
	return ends(codeOf(state))
}
