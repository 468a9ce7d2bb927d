package enginetest

import (
	"errors"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func oneOwner(t *testing.T, b bench) {
	s, stop := b.hanging()
	if l := b.show(s.ID); !l.Live || l.Crashed || l.Owner == "" {
		t.Errorf("shown as %+v", l.Facts)
	}
	if _, err := b.Loops.Resume(t.Context(), s.ID, engine.Options{}, engine.Drive{}); !errors.Is(err, engine.ErrRunning) {
		t.Errorf("a second owner: %v", err)
	}
	if err := b.Loops.Archive(t.Context(), s.ID); !errors.Is(err, engine.ErrNotEnded) {
		t.Errorf("archived while it runs: %v", err)
	}
	stops := make(chan engine.Stop, 1)
	now, err := b.Loops.Resume(t.Context(), s.ID, engine.Options{TakeOver: true}, engine.Drive{
		Stops: stops, Watch: after("attempt_began", 1, func(loop.State) { stops <- engine.EndAgent }),
	})
	if err != nil {
		t.Fatalf("take over: %v", err)
	}
	b.is(now, loop.Paused, "", 1)
	if _, err := stop(); !errors.Is(err, engine.ErrFenced) {
		t.Errorf("the former owner: %v", err)
	}
	if n := len(b.show(s.ID).State.Recent); n != 1 {
		t.Errorf("%d attempts", n)
	}
}

func endedLeftAlone(t *testing.T, b bench) {
	s := b.start(passes, nil)
	before := b.show(s.ID)
	for _, k := range []engine.CommandKind{engine.Pause, engine.PauseNow, engine.Abort, engine.Steer, engine.Answer, engine.Wake} {
		if _, err := b.Loops.Send(t.Context(), s.ID, engine.Command{Kind: k, Text: "x"}); !errors.Is(err, engine.ErrEnded) {
			t.Errorf("%s: %v", k, err)
		}
	}
	for _, takeOver := range []bool{false, true} {
		if _, err := b.Loops.Resume(t.Context(), s.ID, engine.Options{TakeOver: takeOver}, engine.Drive{}); !errors.Is(err, engine.ErrEnded) {
			t.Errorf("resume: %v", err)
		}
	}
	if now := b.show(s.ID); now.Seq != before.Seq {
		t.Errorf("%d events were added", now.Seq-before.Seq)
	}
	unknown(t, b.Loops)
}

func errorOf[T any](_ T, err error) error { return err }

func archived(t *testing.T, b bench) {
	s := b.start(passes, nil)
	for range 2 { // a second time changes nothing
		if err := b.Loops.Archive(t.Context(), s.ID); err != nil {
			t.Fatalf("archive: %v", err)
		}
	}
	b.loops(0)
	all, err := b.Loops.List(t.Context(), engine.Filter{Archived: true})
	if err != nil || len(all) != 1 || !all[0].Archived {
		t.Errorf("with archived ones: %+v, %v", all, err)
	}
	if l := b.show(s.ID); !l.Archived || l.State.Status != loop.StatusPassed || b.prompt(s, 1) == "" {
		t.Errorf("shown as %+v", l.Facts)
	}
	if _, err := b.Loops.Resume(t.Context(), s.ID, engine.Options{}, engine.Drive{}); !errors.Is(err, engine.ErrEnded) {
		t.Errorf("resume: %v", err)
	}
	plan := engine.CleanOptions{DryRun: true}
	would, err := b.Loops.Clean(t.Context(), plan)
	if err != nil || len(would.Removed) != 1 {
		t.Errorf("clean would remove %v, %v", would, err)
	}
	plan.DryRun = false
	if did, err := b.Loops.Clean(t.Context(), plan); err != nil || len(did.Removed) != 1 {
		t.Errorf("clean removed %v, %v", did, err)
	}
	if _, err := b.Loops.Show(t.Context(), s.ID); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("still there: %v", err)
	}
}

func accepted(t *testing.T, b bench) {
	failing := b.Spec(t, fails)
	failing.Limits.MaxIterations = 1
	s, err := b.Loops.Start(t.Context(), failing, engine.Options{}, engine.Drive{})
	if err != nil {
		t.Fatal(err)
	}
	b.is(s, loop.StatusFailed, loop.MaxAttempts, 1)
	if _, err := b.Loops.Accept(t.Context(), s.ID, engine.AcceptOptions{}); !errors.Is(err, engine.ErrNotPassed) {
		t.Errorf("a failed loop: %v", err)
	}
	paused := b.start(second, after("attempt_began", 1, func(s loop.State) { b.send(s.ID, engine.Pause, "") }))
	if _, err := b.Loops.Accept(t.Context(), paused.ID, engine.AcceptOptions{}); !errors.Is(err, engine.ErrNotEnded) {
		t.Errorf("a paused loop: %v", err)
	}
	s = b.start(passes, nil)
	if _, err := b.Loops.Accept(t.Context(), s.ID, engine.AcceptOptions{Commit: s.Base}); !errors.Is(err, engine.ErrOtherWork) {
		t.Errorf("other work than was looked at: %v", err)
	}
	done, err := b.Loops.Accept(t.Context(), s.ID, engine.AcceptOptions{Commit: s.Commit[:12]})
	if err != nil || !done.FastForward || done.Commit != s.Commit || done.Already {
		t.Errorf("accept: %+v, %v", done, err)
	}
	if done, err = b.Loops.Accept(t.Context(), s.ID, engine.AcceptOptions{}); err != nil || !done.Already {
		t.Errorf("accept again: %+v, %v", done, err)
	}
}
