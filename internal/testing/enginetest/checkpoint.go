package enginetest

import (
	"errors"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// goesOnFrom: a soft deadline leaves a checkpoint; from it the loop goes on as
// if the agent had done nothing since.
func goesOnFrom(t *testing.T, b bench) {
	spec := b.Spec(t, `attempts: [[{sh: "if test -e begun; then echo 3 >answer.txt; else touch begun; sleep 60; fi"}]]`)
	spec.Limits.Loop.Soft = 10 * time.Second // by then the agent is at work
	s, err := b.Loops.Start(t.Context(), spec, engine.Options{}, engine.Drive{
		Watch: after("soft_deadline", 1, func(s loop.State) { b.send(s.ID, engine.PauseNow, "") }),
	})
	if err != nil {
		t.Fatal(err)
	}
	b.is(s, loop.Paused, "", 1)
	all, err := b.Loops.Checkpoints(t.Context(), s.ID)
	if err != nil || len(all) != 1 || all[0].Commit == "" || all[0].State.Iteration != 1 || all[0].State.ID != s.ID {
		t.Fatalf("%+v, %v", all, err)
	}
	if _, err := b.Loops.Resume(t.Context(), s.ID, engine.Options{From: 99}, engine.Drive{}); !errors.Is(err, engine.ErrNoCheckpoint) {
		t.Errorf("from one that is not there: %v", err)
	}
	s, err = b.Loops.Resume(t.Context(), s.ID, engine.Options{From: all[0].N}, engine.Drive{})
	if err != nil {
		t.Fatal(err)
	}
	b.is(s, loop.StatusPassed, loop.Green, 1)
	if !b.has(s.ID, "restored") {
		t.Errorf("%v", b.names(s.ID))
	}
	if _, err := b.Loops.Resume(t.Context(), s.ID, engine.Options{From: all[0].N}, engine.Drive{}); !errors.Is(err, engine.ErrEnded) {
		t.Errorf("an ended loop: %v", err)
	}
	if _, err := b.Loops.Checkpoints(t.Context(), "nobody"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("of no loop: %v", err)
	}
}
