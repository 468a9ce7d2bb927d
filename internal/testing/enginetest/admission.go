package enginetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func badLoopRefused(t *testing.T, b bench) {
	for what, spoil := range map[string]func(*loop.Spec){
		"id": func(s *loop.Spec) { s.ID = "../x" }, "task": func(s *loop.Spec) { s.Task.Text = " " },
		"gates": func(s *loop.Spec) { s.Gates = nil }, "limits": func(s *loop.Spec) { s.Limits.MaxIterations = 0 },
	} {
		spec := b.Spec(t, passes)
		spoil(&spec)
		if _, err := b.Loops.Start(t.Context(), spec, engine.Options{}, engine.Drive{}); err == nil {
			t.Errorf("a loop with a bad %s was started", what)
		}
	}
	b.loops(0)
}

// loops checks how many there are.
func (b bench) loops(want int) []engine.Loop {
	b.t.Helper()
	all, err := b.Loops.List(b.t.Context(), engine.Filter{})
	if err != nil || len(all) != want {
		b.t.Errorf("%d loops, want %d: %v", len(all), want, err)
	}
	return all
}

func takenNameRefused(t *testing.T, b bench) {
	spec := b.Spec(t, passes)
	first, err := b.Loops.Start(t.Context(), spec, engine.Options{}, engine.Drive{})
	if err != nil {
		t.Fatal(err)
	}
	before := b.show(first.ID)
	spec.Task.Text = "Something else"
	if _, err := b.Loops.Start(t.Context(), spec, engine.Options{}, engine.Drive{}); !errors.Is(err, engine.ErrExists) {
		t.Errorf("a second loop of this name: %v", err)
	}
	if now := b.show(first.ID); now.Seq != before.Seq || now.State.Task.Text != first.Task.Text {
		t.Errorf("the first loop was changed: %+v", now.State.Task)
	}
	b.loops(1)
}

// hanging starts a loop whose agent hangs, and waits until the agent is at work.
// The returned function pauses it and waits until nobody runs it any more.
func (b bench) hanging() (loop.State, func() (loop.State, error)) {
	b.t.Helper()
	type end struct {
		state loop.State
		err   error
	}
	began, ended := make(chan loop.State, 1), make(chan end, 1)
	ctx, spec := context.WithoutCancel(b.t.Context()), b.Spec(b.t, hangs)
	stops := make(chan engine.Stop, 1)
	go func() {
		s, err := b.Loops.Start(ctx, spec, engine.Options{}, engine.Drive{
			Watch: after("attempt_began", 1, func(s loop.State) { began <- s }), Stops: stops,
		})
		ended <- end{s, err}
	}()
	stop := func() (loop.State, error) {
		select {
		case stops <- engine.EndAgent:
		default:
		}
		e := <-ended
		ended <- e
		return e.state, e.err
	}
	b.t.Cleanup(func() { _, _ = stop() })
	select {
	case s := <-began:
		return s, stop
	case e := <-ended:
		ended <- e
		b.t.Fatalf("it ended: %s, %v", e.state.Status, e.err)
		return e.state, stop
	}
}

func oneTooManyRefused(t *testing.T, b bench) {
	first, stop := b.hanging()
	spec := b.Spec(t, passes)
	_, err := b.Loops.Start(t.Context(), spec, engine.Options{Max: 1}, engine.Drive{})
	full, ok := errors.AsType[*engine.AdmissionError](err)
	if !ok || full.Max != 1 || full.Paths != 1 || !slices.Equal(full.Active, []string{first.ID}) {
		t.Fatalf("the second loop: %+v", err)
	}
	if _, err := b.Loops.Show(t.Context(), spec.ID); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("the refusal left something: %v", err)
	}
	b.loops(1)
	s, err := b.Loops.Start(t.Context(), spec, engine.Options{Max: 1, Force: true}, engine.Drive{})
	if err != nil {
		t.Fatalf("forced: %v", err)
	}
	b.is(s, loop.StatusPassed, loop.Green, 1)

	if _, err := stop(); err != nil {
		t.Fatal(err)
	}
	if s := b.start(passes, nil); s.Status != loop.StatusPassed {
		t.Errorf("a paused loop holds a place: %s", s.Status)
	}
}

func prefixFinds(t *testing.T, b bench) {
	s := b.start(passes, nil)
	for _, name := range []string{s.ID, s.ID[:len(s.ID)-1], s.ID[:5]} {
		if id, err := b.Loops.Find(t.Context(), name); id != s.ID || err != nil {
			t.Errorf("find %s: %s, %v", name, id, err)
		}
	}
	for _, name := range []string{"zzz", "", strings.ToUpper(s.ID), s.ID + "x", "%", "../x"} {
		if id, err := b.Loops.Find(t.Context(), name); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("find %q: %s, %v", name, id, err)
		}
	}
	b.start(passes, nil)
	if id, err := b.Loops.Find(t.Context(), s.ID[:5]); err == nil || errors.Is(err, engine.ErrNotFound) {
		t.Errorf("of two loops, %q was found: %v", id, err)
	}
}
