package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// drive runs a loop in the foreground: lines while it works, the stops of a
// person, questions in place, one final summary or object.
func (a *app) drive(ctx context.Context, p *project, events bool, start func(context.Context, engine.Drive) (loop.State, error)) error {
	if err := a.held(); err != nil {
		return err
	}
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	stops, signalled := a.listen(leave)
	defer signalled.forget()
	screen := a.screen(events)
	state, err := start(ctx, engine.Drive{Watch: a.unleashed(ctx, p, screen), Stops: stops})
	for err == nil && state.Status == loop.Waiting && state.Reason == loop.ForHuman && a.asks() && !signalled.any() {
		screen.clear()
		if state, err = a.answerInPlace(ctx, p, state, engine.Drive{Watch: screen.update, Stops: stops}); err != nil {
			break
		}
	}
	screen.clear()
	if err != nil && state.ID == "" {
		return err
	}
	if errors.Is(err, errLeft) {
		a.say("%s: %v; go on with ralph resume %s", state.ID, err, state.ID)
		return ends(exitTerminated)
	}
	if err != nil {
		return a.broken(ctx, p, state, err)
	}
	return a.final(ctx, p, state, signalled)
}

// broken reports a run that ralph itself could not go on with.
func (a *app) broken(ctx context.Context, p *project, state loop.State, err error) error {
	f := *classify(err)
	if f.hint == "" || f.code == exitInternal {
		f.hint = "what was recorded is safe; go on with ralph resume " + state.ID
	}
	if a.json {
		_ = a.loopObject(ctx, p, state.ID)
	}
	return &f
}

// final says how the loop stands now, and ends with the code for that.
func (a *app) final(ctx context.Context, p *project, state loop.State, s *signals) error {
	if _, err := p.engine.Show(ctx, state.ID); err != nil || !p.recorded() {
		return &failure{
			code: exitInternal, err: fmt.Errorf("the record of loop %s was deleted while it ran; its result cannot be relied on", state.ID),
			hint: "look at the branch " + state.Branch + "; an agent must not touch " + p.home,
		}
	}
	if a.json {
		if err := a.loopObject(ctx, p, state.ID); err != nil {
			return err
		}
	}
	if a.leash != nil && !a.leash.Free() {
		a.say("%s: %s; nothing goes on in the background", state.ID, state.Status)
	}
	switch {
	case s.terminated && !state.Status.Terminal():
		return ends(exitTerminated)
	case s.any() && !state.Status.Terminal():
		return ends(exitInterrupted)
	}
	return ends(codeOf(state))
}

// loopObject writes the ralph.loop/v1 object of a loop.
func (a *app) loopObject(ctx context.Context, p *project, id string) error {
	l, err := p.engine.Show(ctx, id)
	if err != nil {
		return err
	}
	items, err := a.items(ctx, p, []engine.Loop{l})
	if err != nil {
		return err
	}
	return a.encode(report.Of(l.State, items[0].Facts))
}

// listObject writes the ralph.status/v1 object of some loops.
func (a *app) listObject(ctx context.Context, p *project, ids []string) error {
	items := make([]report.Item, len(ids))
	for i, id := range ids {
		l, err := p.engine.Show(ctx, id)
		if err != nil {
			return err
		}
		items[i] = report.Item{State: l.State, Facts: facts(l)}
	}
	return a.encode(report.ListOf(items))
}

func (a *app) encode(v any) error {
	data, err := report.Encode(v)
	if err == nil {
		_, err = a.Out.Write(data)
	}
	return err
}

func facts(l engine.Loop) report.Facts {
	return report.Facts{Crashed: l.Crashed, Archived: l.Archived, Live: l.Live, Owner: l.Owner, Rescue: l.Rescue}
}

func (a *app) palette(w any) report.Palette {
	p := report.Palette{ASCII: !a.unicode()}
	if f, ok := w.(*os.File); ok {
		p.Color, p.Width = a.colour(f), a.width(f)
	}
	return p
}

// signals counts what a person pressed: once finishes the step and pauses,
// twice ends the agent, three times kills. SIGTERM and a lost terminal end the
// agent at once, and pause.
//
// In the background there is no terminal to lose, and SIGTERM is what a machine
// sends that is shut down: the loop is left as it is, for whoever takes up what
// was left. A paused one would wait for a person.
type signals struct {
	interrupts int
	terminated bool
	leave      context.CancelCauseFunc
	forget     func()
}

// errLeft ends a run whose loop is to go on elsewhere.
var errLeft = errors.New("the process was asked to end (SIGTERM)")

func (s *signals) any() bool { return s.interrupts > 0 || s.terminated }

func (a *app) listen(leave context.CancelCauseFunc) (<-chan engine.Stop, *signals) {
	// A reader of our output that goes away must not take the loop with it.
	signal.Ignore(syscall.SIGPIPE)
	in := make(chan os.Signal, 4)
	signal.Notify(in, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	stops, done := make(chan engine.Stop, 4), make(chan struct{})
	s := &signals{leave: leave}
	s.forget = func() { signal.Stop(in); close(done) }
	go func() {
		for {
			select {
			case sig := <-in:
				if stop := s.hear(a, sig); stop > 0 {
					stops <- stop
				}
			case <-done:
				return
			}
		}
	}()
	return stops, s
}

func (s *signals) hear(a *app, sig os.Signal) engine.Stop {
	if sig != os.Interrupt && a.leash.Free() {
		if sig == syscall.SIGTERM {
			s.leave(errLeft)
		}
		return 0
	}
	if sig != os.Interrupt {
		s.terminated = true
		return engine.EndAgent
	}
	s.interrupts++
	switch s.interrupts {
	case 1:
		a.say("\npausing after this step; ctrl-c again ends the agent, a third time kills it")
		return engine.AfterStep
	case 2:
		a.say("\nending the agent; its work is kept")
		return engine.EndAgent
	}
	return engine.KillAgent
}

// answerInPlace puts the open question to the person at the terminal and goes
// on with the loop.
func (a *app) answerInPlace(ctx context.Context, p *project, state loop.State, d engine.Drive) (loop.State, error) {
	text, err := a.put(ctx, state.Open())
	if err != nil {
		return state, err
	}
	if text == "" {
		return state, ends(exitHuman)
	}
	if _, err := p.engine.Send(ctx, state.ID, engine.Command{Kind: engine.Answer, Text: text, By: owner(a)}); err != nil {
		return state, err
	}
	return p.engine.Resume(ctx, state.ID, engine.ResumeOptions{}, d)
}

// untilEnded waits until somebody else has closed a loop.
// An owner that stands still is named after a while, since only a person or a
// supervisor takes its loop away.
func (a *app) untilEnded(ctx context.Context, p *project, id string) (loop.State, error) {
	const patience = 5 * time.Second
	for asked, said := time.Now(), false; ; {
		l, err := p.engine.Show(ctx, id)
		if err != nil || l.State.Status.Terminal() {
			return l.State, err
		}
		if !l.Live {
			return l.State, errors.New("the process that runs the loop ended before it had closed it")
		}
		if !said && time.Since(asked) > patience {
			said = true
			a.say("%s: waiting for its owner, %s, to close it; if that stands still: ralph resume %s --take-over", id, l.Owner, id)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return l.State, context.Cause(ctx)
		}
	}
}
