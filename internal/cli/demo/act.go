package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/launch"
	"ralph/internal/demo"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
)

// act is one story on the stage. Its app speaks where its turn is.
type act struct {
	*Commands
	stage  *demonstration
	n      int
	story  demo.Story
	loop   loop.Spec
	screen *foreground.Screen
	heard  *foreground.Signals
	stops  <-chan engine.Stop
}

// perform plays the stories: one after the other where a person reads along or
// pays, else both at once, each told in one piece.
func (d *demonstration) perform(ctx context.Context) error {
	if d.paced || d.agent != "" {
		return d.inTurn(ctx)
	}
	return d.atOnce(ctx)
}

func (d *demonstration) inTurn(ctx context.Context) error {
	for i, s := range demo.Stories() {
		a, err := d.act(ctx, i, s, d.Err)
		if err != nil {
			return err
		}
		if err := a.play(ctx); err != nil {
			return err
		}
	}
	return nil
}

// atOnce lets the first story speak and keeps the others' words until it ends.
func (d *demonstration) atOnce(ctx context.Context) error {
	stories := demo.Stories()
	acts, held, errs := make([]*act, len(stories)), make([]bytes.Buffer, len(stories)), make([]error, len(stories))
	for i, s := range stories {
		var words io.Writer = &held[i]
		if i == 0 {
			words = d.Err
		}
		var err error
		if acts[i], err = d.act(ctx, i, s, words); err != nil {
			return err
		}
	}
	var playing sync.WaitGroup
	for i := range acts {
		playing.Go(func() { errs[i] = acts[i].play(ctx) })
	}
	playing.Wait()
	for i := range held {
		_, _ = d.Err.Write(held[i].Bytes())
	}
	return errors.Join(errs...)
}

// act prepares a story: the loop of `ralph run` with a few flags, and shorter
// names.
func (d *demonstration) act(ctx context.Context, n int, s demo.Story, words io.Writer) (*act, error) {
	own := New(d.runner.Copy(), d.runPlan)
	own.Err = words
	a := &act{Commands: own, stage: d, n: n, story: s, screen: own.runner.Screen(false)}
	a.screen.Paint = d.Palette(d.Err)
	f := launch.Flags{
		Until: []string{d.variant.Test(s)}, Iterations: strconv.Itoa(s.MaxIterations),
		Agent: d.agent, LoopID: s.Name, Multiplier: 1,
	}
	if d.agent == "" {
		f.Agent = "script:" + demo.ScriptFile(d.dir, s)
	}
	flags, err := f.Settings()
	if err == nil {
		err = d.Configure(d.project, flags...)
	}
	if err == nil {
		a.loop, err = launch.Spec(ctx, d.Opener, d.project, s.Task, f)
	}
	a.loop.Task.ID = s.Name
	if d.agent == "" {
		a.loop.Agent.Name = "demo"
	}
	return a, err
}

// play announces the story, and drives its loop to its end.
func (a *act) play(ctx context.Context) error {
	a.stops, a.heard = a.runner.Listen(func(error) {})
	defer a.heard.Forget()
	a.announce()
	a.pause()
	if !a.heard.Any() {
		_, err := a.stage.project.Loops.Start(ctx, a.loop, engine.Options{}, engine.Drive{Watch: a.watch, Stops: a.stops})
		a.screen.Clear()
		if err != nil {
			return err
		}
		a.pause()
	}
	if a.heard.Any() {
		return a.interrupted()
	}
	return nil
}

// watch shows a run as `ralph run` does on a terminal, everywhere: this is for
// people. What the agent claims is shown too, since a story is about that.
func (a *act) watch(u engine.Update) {
	if u.Event == nil || a.screen.Tty || a.Quiet {
		a.screen.Update(u)
	} else {
		for _, l := range view.Lines(u.Before, view.Item{State: u.After}, u.Event, a.Now(), a.screen.Paint) {
			a.Say("%s", l)
		}
	}
	if e, ok := u.Event.(loop.AgentEnded); ok && e.Outcome.Words != "" {
		a.Say("%23sit says: %q", "", text.Headline(e.Outcome.Words, 46))
	}
}

// pause leaves a person time to read.
func (a *act) pause() {
	if !a.stage.paced || a.heard.Any() {
		return
	}
	select {
	case <-time.After(1200 * time.Millisecond):
	case <-a.stops:
	}
}

// interrupted ends a demonstration that a person stopped.
func (a *act) interrupted() error {
	a.Say("\nThe demonstration was interrupted. To continue it:\n  cd %s\n  %s", command.ShellWord(a.Dir), next.Resume(a.story.Name))
	if a.heard.Terminated {
		return exit.With(exit.Terminated)
	}
	return exit.With(exit.Interrupted)
}
