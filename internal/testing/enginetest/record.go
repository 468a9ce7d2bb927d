package enginetest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

func watchedAndRecorded(t *testing.T, b bench) {
	var seen []string
	var last loop.State
	s := b.start(second, func(u engine.Update) {
		if u.Event == nil {
			return
		}
		seen = append(seen, u.Event.Name())
		if last.ID != "" && last.LastAt != u.Before.LastAt {
			t.Errorf("before %s there was a transition that was not shown", u.Event.Name())
		}
		last = u.After
	})
	b.is(s, loop.StatusPassed, loop.Green, 2)
	l := b.show(s.ID)
	if diff := cmp.Diff(s, l.State, cmpopts.EquateEmpty()); diff != "" || l.Live || l.Crashed || l.Archived {
		t.Errorf("shown otherwise than returned: %+v\n%s", l.Facts, diff)
	}
	if diff := cmp.Diff(append([]string{"created"}, seen...), b.names(s.ID)); diff != "" {
		t.Errorf("recorded otherwise than seen (-seen +recorded):\n%s", diff)
	}
	records, err := b.Loops.Events(t.Context(), s.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if r.Seq != int64(i+1) || i > 0 && r.At.Before(records[i-1].At) || r.Decoded.Name() != r.Name {
			t.Errorf("event %d: %+v", i+1, r)
		}
	}
	if l.Seq != int64(len(records)) {
		t.Errorf("%d events, shown as %d", len(records), l.Seq)
	}
	rest, err := b.Loops.Events(t.Context(), s.ID, 5)
	if err != nil || len(rest) != len(records)-5 || rest[0].Seq != 6 {
		t.Errorf("events after 5: %d, %v", len(rest), err)
	}
	if all := b.loops(1); all[0].State.ID != s.ID {
		t.Errorf("listed: %s", all[0].State.ID)
	}
	active, err := b.Loops.List(t.Context(), engine.Filter{Active: true})
	if err != nil || len(active) != 0 {
		t.Errorf("active: %d, %v", len(active), err)
	}
}

// marked: marks agree with the list in every filter, move with each event and
// stand still where nothing happens.
func marked(t *testing.T, b bench) {
	agree := func() []engine.Mark {
		t.Helper()
		for _, f := range []engine.Filter{{}, {Active: true}, {Archived: true}, {Limit: 1}} {
			loops, err := b.Loops.List(t.Context(), f)
			marks, err2 := b.Loops.Marks(t.Context(), f)
			var want []engine.Mark
			for _, l := range loops {
				want = append(want, engine.Mark{ID: l.State.ID, Seq: l.Seq, Live: l.Live, Crashed: l.Crashed, Archived: l.Archived})
			}
			if diff := cmp.Diff(want, marks, cmpopts.EquateEmpty()); diff != "" || err != nil || err2 != nil {
				t.Errorf("%+v: %v, %v (-list +marks):\n%s", f, err, err2, diff)
			}
		}
		marks, _ := b.Loops.Marks(t.Context(), engine.Filter{Archived: true})
		return marks
	}
	agree()
	var living []engine.Mark
	first := b.start(passes, after("attempt_began", 1, func(loop.State) {
		living, _ = b.Loops.Marks(t.Context(), engine.Filter{Active: true})
	}))
	if len(living) != 1 || !living[0].Live || living[0].Crashed {
		t.Errorf("while it runs: %+v", living)
	}
	s := b.start(second, after("attempt_began", 1, func(s loop.State) { b.send(s.ID, engine.Pause, "") }))
	before := agree()
	if diff := cmp.Diff(before, agree()); diff != "" {
		t.Errorf("moved by itself:\n%s", diff)
	}
	b.send(s.ID, engine.Steer, "Three.")
	if now := agree(); now[0].ID != s.ID || now[0].Seq <= before[0].Seq || now[1] != before[1] {
		t.Errorf("after an event of %s: %+v, before %+v", s.ID, now, before)
	}
	if err := b.Loops.Archive(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if now := agree(); !now[1].Archived {
		t.Errorf("archived: %+v", now)
	}
	b.unsteady()
}

// unsteady: time ends a loop that its agent drives, without an event.
func (b bench) unsteady() {
	b.t.Helper()
	spec := b.Spec(b.t, passes)
	spec.Limits.Loop.Hard = 1
	l, err := b.Loops.Init(b.t.Context(), spec, engine.Options{})
	if err != nil {
		b.t.Fatalf("init: %v", err)
	}
	id := l.State.ID
	marks, err := b.Loops.Marks(b.t.Context(), engine.Filter{Active: true, Mode: loop.AgentDriven})
	if err != nil || len(marks) != 1 || marks[0].ID != id || !marks[0].Unsteady {
		b.t.Errorf("a loop that its agent drives: %+v, %v", marks, err)
	}
	if l := b.show(id); !l.Due || !l.State.Status.Terminal() || l.Seq != marks[0].Seq {
		b.t.Errorf("its time is over, and it is shown as %s, due is %v", l.State.Status, l.Due)
	}
	if err := b.Loops.RecordDue(b.t.Context()); err != nil {
		b.t.Fatalf("record what is due: %v", err)
	}
	if marks, err = b.Loops.Marks(b.t.Context(), engine.Filter{Mode: loop.AgentDriven}); err != nil || marks[0].Unsteady {
		b.t.Errorf("recorded: %+v, %v", marks, err)
	}
}

// has says whether the loop's events hold one of this name.
func (b bench) has(id, name string) bool { return slices.Contains(b.names(id), name) }
