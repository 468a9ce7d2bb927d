//go:build linux

package local_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// speaking is a gate whose failure says something.
func speaking(s *loop.Spec) {
	s.Gates[0].Run = "test -e ok || { echo 'error: ok is missing'; exit 1; }"
}

// teach runs a loop to its end: one failed check, then a change, then green.
func (d desk) teach(id string, change func(*loop.Spec)) {
	d.t.Helper()
	d.init(id, func(s *loop.Spec) {
		speaking(s)
		if change != nil {
			change(s)
		}
	})
	d.check(id)
	d.write("ok", id+"\n")
	d.check(id)
	must(d.t, os.Remove(filepath.Join(d.repo(), "ok")))
}

// promote is a person's review of the first fix: its loop was agent-driven and
// leaves nothing to accept.
func (d desk) promote() {
	d.t.Helper()
	_, err := d.ReviewPattern(d.t.Context(), d.known()[0].Num, learn.Promoted)
	must(d.t, err)
}

// known are the fixes that were learned.
func (d desk) known() []learn.Known {
	d.t.Helper()
	all, err := d.Patterns(d.t.Context(), engine.PatternQuery{Text: string(learn.ErrorFix)})
	must(d.t, err)
	return all
}

// TestLearningIsMadeUpFor: whoever dies between the end of a loop and the
// learning, the next look learns, once.
func TestLearningIsMadeUpFor(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"before:learn", "within:learn", "after:learn"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			mortal := d
			mortal.Engine = local.New(d.store, d.hands, local.Options{Now: d.now, Fault: func(p string) {
				if p == point {
					panic(point)
				}
			}})
			func() {
				defer func() {
					if p := recover(); p != point {
						t.Errorf("died of %v", p)
					}
				}()
				mortal.teach("one", nil)
			}()
			if l, err := d.Show(t.Context(), "one"); err != nil || l.State.Status != loop.StatusPassed {
				t.Fatalf("%+v, %v", l.State.Status, err)
			}
			for range 2 {
				all := d.known()
				if len(all) != 1 || all[0].Seen != 1 || all[0].Fingerprint == "" {
					t.Errorf("%+v", all)
				}
			}
			if _, err := os.Stat(engine.Layout{Dir: filepath.Join(d.repo(), ".git", "ralph", "loops", "one")}.Memory()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLearningWithoutFiles: a loop whose files somebody deleted is not asked for
// them again and again.
func TestLearningWithoutFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.init("one", speaking)
	d.check("one")
	must(t, os.RemoveAll(filepath.Join(d.repo(), ".git", "ralph", "loops", "one")))
	_, err := d.Send(t.Context(), "one", engine.Command{Kind: engine.Abort})
	must(t, err)
	if ids, err := d.store.Unlearned(t.Context()); err != nil || len(ids) != 0 {
		t.Errorf("%q, %v", ids, err)
	}
}

// TestHintsComeOnce: a failure that somebody ended before is told to a loop that
// meets it, once, and whether that helped is counted.
func TestHintsComeOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	d.teach("one", nil)
	d.promote()
	d.init("two", speaking)
	if s, err := d.Hints(ctx, "two"); s != "" || err != nil {
		t.Errorf("before any check: %q, %v", s, err)
	}
	d.check("two")
	s, err := d.Hints(ctx, "two")
	if err != nil || !strings.Contains(s, "### Note 1: a failure of gate tests") || !strings.Contains(s, "From loop one") {
		t.Errorf("%q, %v", s, err)
	}
	if again, err := d.Hints(ctx, "two"); again != "" || err != nil {
		t.Errorf("told again: %q, %v", again, err)
	}
	if s, err := d.Briefing(ctx, "two"); err != nil || !strings.Contains(s, "### Note 1") {
		t.Errorf("a session that begins anew: %q, %v", s, err)
	}
	if _, err := d.Send(ctx, "two", engine.Command{Kind: engine.Abort, Text: "enough"}); err != nil {
		t.Error(err)
	}
	if all := d.known(); all[0].Used != 1 || all[0].Decided != 0 {
		t.Errorf("an abort decides nothing: %+v", all[0])
	}
	if s, err := d.Hints(ctx, "two"); s != "" || err != nil {
		t.Errorf("of a loop that is over: %q, %v", s, err)
	}
	for _, ask := range []func() (string, error){
		func() (string, error) { return d.Hints(ctx, "nobody") }, func() (string, error) { return d.Briefing(ctx, "nobody") },
	} {
		if _, err := ask(); !errors.Is(err, engine.ErrNotFound) {
			t.Error(err)
		}
	}
}

// TestWaysOfLearning: off teaches nothing and is told nothing; reviewed teaches,
// and is told what a person has promoted.
func TestWaysOfLearning(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	d.teach("silent", func(s *loop.Spec) { s.Learn = loop.LearnOff })
	if all := d.known(); len(all) != 0 {
		t.Errorf("learned from a loop that is silent: %+v", all)
	}
	d.teach("careful", func(s *loop.Spec) { s.Learn = loop.LearnReviewed })
	all := d.known()
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	told := func(id string, way loop.Learning) bool {
		t.Helper()
		d.init(id, func(s *loop.Spec) { speaking(s); s.Learn = way })
		d.check(id)
		s, err := d.Hints(ctx, id)
		must(t, err)
		_, err = d.Send(ctx, id, engine.Command{Kind: engine.Abort})
		must(t, err)
		return s != ""
	}
	if told("a", loop.LearnReviewed) || told("b", loop.LearnOff) || told("c", "") {
		t.Error("a loop is told what nobody has accepted")
	}
	_, err := d.ReviewPattern(ctx, all[0].Num, learn.Promoted)
	must(t, err)
	if !told("d", loop.LearnReviewed) || told("e", loop.LearnOff) {
		t.Error("reviewed notes are for all but those who want none")
	}
	if s, err := d.BestNotes(ctx, true); err != nil || !strings.Contains(s, "### Note 1") {
		t.Errorf("%q, %v", s, err)
	}
	_, err = d.ReviewPattern(ctx, all[0].Num, learn.Dropped)
	must(t, err)
	if told("f", loop.LearnOn) {
		t.Error("a dropped note was shown")
	}
	if s, err := d.BestNotes(ctx, false); s != "" || err != nil {
		t.Errorf("%q, %v", s, err)
	}
}

func TestNotesByHand(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	k, err := d.AddPattern(ctx, learn.NoteInput{Text: "no mocks", By: "ann"}, true)
	if err != nil || k.Review != learn.Promoted {
		t.Errorf("%+v, %v", k, err)
	}
	agents, err := d.AddPattern(ctx, learn.NoteInput{Text: "trust me", By: "claude"}, false)
	if err != nil || agents.Review != learn.Unreviewed {
		t.Errorf("%+v, %v", agents, err)
	}
	if got, err := d.Pattern(ctx, k.Num); err != nil || got.Text != "no mocks" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := d.AddPattern(ctx, learn.NoteInput{}, true); !errors.Is(err, engine.ErrUnfit) {
		t.Error(err)
	}
	if _, err := d.Pattern(ctx, 99); !errors.Is(err, engine.ErrNoPattern) {
		t.Error(err)
	}
	if _, err := d.ReviewPattern(ctx, 99, learn.Promoted); !errors.Is(err, engine.ErrNoPattern) {
		t.Error(err)
	}
	if all, err := d.Patterns(ctx, engine.PatternQuery{Limit: 1}); err != nil || len(all) != 1 || all[0].Num != k.Num {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestOldFailuresAreRemembered: a pattern on the failure at hand is found however
// many newer ones there are.
func TestOldFailuresAreRemembered(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx := t.Context()
	d.teach("one", nil)
	for i := range 400 {
		_, err := d.store.AddPattern(ctx, learn.Pattern{Kind: learn.ErrorFix, Fingerprint: fmt.Sprintf("%08x", i), Files: []string{"x.go"}}, learn.Unreviewed)
		must(t, err)
	}
	_, err := d.ReviewPattern(ctx, 1, learn.Promoted)
	must(t, err)
	d.init("two", speaking)
	found, err := d.Recall(ctx, d.check("two"), nil)
	if err != nil || len(found) != 1 || found[0].Num != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestLookingChangesNothing: a memory that is only read is not learned into.
func TestLookingChangesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	dead := d
	dead.Engine = local.New(d.store, d.hands, local.Options{Now: d.now, Fault: func(p string) {
		if p == "before:learn" {
			panic(p)
		}
	}})
	func() {
		defer func() { _ = recover() }()
		dead.teach("one", nil)
	}()
	s, err := store.Open(t.Context(), filepath.Join(d.repo(), ".git", "ralph"), store.Options{ReadOnly: true})
	must(t, err)
	defer s.Close()
	all, err := local.New(s, nil, local.Options{}).Patterns(t.Context(), engine.PatternQuery{})
	if err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if ids, err := s.Unlearned(t.Context()); err != nil || len(ids) != 1 {
		t.Errorf("%q, %v", ids, err)
	}
}
