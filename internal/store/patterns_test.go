//go:build unix

package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/learn"
	"ralph/internal/loop"
)

func fix(hash string) learn.Pattern {
	return learn.Pattern{
		Kind: learn.ErrorFix, Summary: "fix of " + hash, Fingerprint: hash, Error: []string{"error: x"}, Files: []string{"a.go"},
		Sources: []learn.Source{{At: clock()}},
	}
}

func undecided(learn.Known) (bool, bool) { return false, false }

func all(t *testing.T, s *Store, f PatternFilter) []learn.Known {
	t.Helper()
	got, err := s.Patterns(t.Context(), f)
	must(t, err)
	return got
}

// ended creates a loop that was shown patterns, and ends it.
func endedLoop(t *testing.T, s *Store, id string, shown ...int64) {
	t.Helper()
	l := create(t, s, id)
	st := l.State()
	st.Iteration++
	must(t, l.Commit(t.Context(), st, []loop.Event{loop.AttemptBegan{Stamp: loop.Stamp{At: clock()}, Learned: shown}}))
	must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
	must(t, l.Release(t.Context()))
}

// TestLearnedOnce: an ended loop is there to be learned from until somebody did,
// once, whoever asks how often.
func TestLearnedOnce(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	ctx := t.Context()
	if done, err := s.Learn(ctx, "nobody", nil, undecided); done || !errors.Is(err, ErrNoLoop) {
		t.Errorf("%v, %v", done, err)
	}
	running := create(t, s, "running")
	if done, err := s.Learn(ctx, "running", []learn.Pattern{fix("aaaa0001")}, undecided); done || err != nil {
		t.Errorf("learned from a running loop: %v, %v", done, err)
	}
	must(t, tick(ctx, running))
	endedLoop(t, s, "one")
	for i, want := range []bool{true, false, false} {
		ids, err := s.Unlearned(ctx)
		must(t, err)
		if got := slices.Contains(ids, "one"); got != want {
			t.Errorf("%d: to be learned from: %q", i, ids)
		}
		done, err := s.Learn(ctx, "one", []learn.Pattern{fix("aaaa0001"), fix("bbbb0002")}, undecided)
		must(t, err)
		if done != want {
			t.Errorf("%d: learned: %v", i, done)
		}
	}
	got := all(t, s, PatternFilter{})
	if len(got) != 2 || got[0].Seen != 1 || got[0].Review != learn.Unreviewed || got[0].Updated.IsZero() {
		t.Errorf("%+v", got)
	}
	endedLoop(t, s, "two")
	_, err := s.Learn(ctx, "two", []learn.Pattern{fix("aaaa0001")}, undecided)
	must(t, err)
	got = all(t, s, PatternFilter{Fingerprints: []string{"aaaa0001", "", "x"}})
	if len(got) != 1 || got[0].Seen != 2 || len(got[0].Sources) != 2 {
		t.Errorf("seen again: %+v", got)
	}
	for _, id := range []string{"one", "two"} {
		must(t, s.Archive(ctx, id))
		must(t, s.Remove(ctx, id))
	}
	if len(all(t, s, PatternFilter{})) != 2 {
		t.Error("what a loop taught went with it")
	}
}

// TestLearnedAgainWhenAccepted: the acceptance of a loop is there to be learned from,
// once, and does not count the loop twice. A pattern of an earlier version, which
// recorded no outcome, has that of its loop.
func TestLearnedAgainWhenAccepted(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	ctx := t.Context()
	endedLoop(t, s, "one")
	taught := fix("aaaa0001")
	taught.Sources[0].Loop = "one"
	_, err := s.Learn(ctx, "one", []learn.Pattern{taught}, undecided)
	must(t, err)
	if got := all(t, s, PatternFilter{}); got[0].Withheld() == "" {
		t.Errorf("used before the loop was accepted: %+v", got)
	}
	l, err := s.Acquire(ctx, "one", false)
	must(t, err)
	next := l.State()
	next.Status, next.Accepted = loop.StatusPassed, "c1"
	must(t, l.Commit(ctx, next, []loop.Event{loop.Accepted{Stamp: loop.Stamp{At: clock()}, Commit: "c1"}}))
	must(t, l.Release(ctx))
	if got := all(t, s, PatternFilter{}); got[0].Withheld() != "" {
		t.Errorf("not used after it: %+v", got)
	}
	taught.Sources[0].Outcome = learn.OutcomeAccepted
	for _, want := range []bool{true, false} {
		if done, err := s.Learn(ctx, "one", []learn.Pattern{taught}, undecided); done != want || err != nil {
			t.Errorf("learned %v, want %v: %v", done, want, err)
		}
	}
	if got := all(t, s, PatternFilter{}); len(got) != 1 || got[0].Seen != 1 || len(got[0].Sources) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestLearnIsOneTransaction: what cannot be kept as a whole is not kept, and is
// there to be tried again.
func TestLearnIsOneTransaction(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	endedLoop(t, s, "one")
	must(t, spoil(t, s, `INSERT INTO patterns (key, kind, fingerprint, review, seen, updated, data) VALUES (?, 'error_fix', '', 'unreviewed', 1, 1, '{')`, fix("bbbb0002").Key()))
	if done, err := s.Learn(t.Context(), "one", []learn.Pattern{fix("aaaa0001"), fix("bbbb0002")}, undecided); done || err == nil {
		t.Fatalf("%v, %v", done, err)
	}
	must(t, spoil(t, s, `DELETE FROM patterns WHERE data = '{'`))
	if got := all(t, s, PatternFilter{}); len(got) != 0 {
		t.Errorf("half was kept: %+v", got)
	}
	done, err := s.Learn(t.Context(), "one", []learn.Pattern{fix("aaaa0001"), fix("bbbb0002")}, undecided)
	if !done || err != nil || len(all(t, s, PatternFilter{})) != 2 {
		t.Errorf("again: %v, %v", done, err)
	}
}

func spoil(t *testing.T, s *Store, query string, args ...any) error {
	t.Helper()
	db, err := s.database(t.Context())
	must(t, err)
	_, err = db.ExecContext(t.Context(), query, args...)
	return err
}

func TestUsesAreCounted(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	ctx := t.Context()
	k, err := s.AddPattern(ctx, fix("aaaa0001"), learn.Promoted)
	must(t, err)
	outcomes := map[string][2]bool{"helped": {true, true}, "not": {false, true}, "unknown": {false, false}}
	for id, o := range outcomes {
		endedLoop(t, s, id, k.Num, k.Num, 99)
		for range 2 {
			_, err := s.Learn(ctx, id, nil, func(learn.Known) (bool, bool) { return o[0], o[1] })
			must(t, err)
		}
	}
	create(t, s, "running")
	must(t, s.UsePatterns(ctx, "running", []int64{k.Num, 99}))
	must(t, s.UsePatterns(ctx, "running", []int64{k.Num}))
	must(t, s.UsePatterns(ctx, "running", nil))
	if err := s.UsePatterns(ctx, "nobody", []int64{1}); !errors.Is(err, ErrNoLoop) {
		t.Error(err)
	}
	if nums, err := s.PatternsShown(ctx, "running"); err != nil || !slices.Equal(nums, []int64{k.Num}) {
		t.Errorf("shown: %v, %v", nums, err)
	}
	got := all(t, s, PatternFilter{Num: k.Num})
	if len(got) != 1 || got[0].Used != 4 || got[0].Decided != 2 || got[0].Helped != 1 {
		t.Errorf("%+v", got)
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	ctx := t.Context()
	k, err := s.AddPattern(ctx, fix("aaaa0001"), learn.Unreviewed)
	must(t, err)
	if k.Review != learn.Unreviewed || k.Num == 0 {
		t.Errorf("%+v", k)
	}
	k, err = s.ReviewPattern(ctx, k.Num, learn.Dropped)
	must(t, err)
	if k.Review != learn.Dropped || len(all(t, s, PatternFilter{})) != 0 || len(all(t, s, PatternFilter{Dropped: true})) != 1 {
		t.Errorf("%+v", k)
	}
	// Neither a loop nor an agent brings back what a person dropped.
	endedLoop(t, s, "one")
	_, err = s.Learn(ctx, "one", []learn.Pattern{fix("aaaa0001")}, undecided)
	must(t, err)
	if k, err = s.AddPattern(ctx, fix("aaaa0001"), learn.Unreviewed); err != nil || k.Review != learn.Dropped || k.Seen != 3 {
		t.Errorf("%+v, %v", k, err)
	}
	if k, err = s.AddPattern(ctx, fix("aaaa0001"), learn.Promoted); err != nil || k.Review != learn.Promoted {
		t.Errorf("%+v, %v", k, err)
	}
	if k, err = s.AddPattern(ctx, fix("aaaa0001"), learn.Unreviewed); err != nil || k.Review != learn.Promoted {
		t.Errorf("%+v, %v", k, err)
	}
	for _, num := range []int64{0, -1, 99} {
		if _, err := s.ReviewPattern(ctx, num, learn.Promoted); !errors.Is(err, ErrNoPattern) {
			t.Errorf("%d: %v", num, err)
		}
	}
}

// TestMemoryIsBounded: what nobody has looked at goes when there is too much of
// it, worn patterns first, then the oldest; what a person has reviewed stays.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	now := clock()
	dir := t.TempDir() + "/ralph"
	s := openTest(t, dir, Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
	ctx := t.Context()
	kept, err := s.AddPattern(ctx, fix("promoted"), learn.Promoted)
	must(t, err)
	var taught []learn.Pattern
	for i := range mostUnreviewed {
		taught = append(taught, fix(strconv.Itoa(i)))
	}
	endedLoop(t, s, "many")
	_, err = s.Learn(ctx, "many", taught, undecided)
	must(t, err)
	worn := all(t, s, PatternFilter{Fingerprints: []string{"999"}})[0]
	for i := range 3 {
		id := fmt.Sprint("worn", i)
		endedLoop(t, s, id, worn.Num)
		_, err := s.Learn(ctx, id, nil, func(learn.Known) (bool, bool) { return false, true })
		must(t, err)
	}
	if got := len(all(t, s, PatternFilter{})); got != mostUnreviewed+1 {
		t.Fatalf("%d patterns", got)
	}
	endedLoop(t, s, "last")
	_, err = s.Learn(ctx, "last", []learn.Pattern{fix("new"), fix("newer")}, undecided)
	must(t, err)
	var gone []string
	for _, hash := range []string{"0", "1", "2", "999", "new", "promoted"} {
		if len(all(t, s, PatternFilter{Fingerprints: []string{hash}})) == 0 {
			gone = append(gone, hash)
		}
	}
	if d := cmp.Diff([]string{"0", "999"}, gone); d != "" {
		t.Error(d)
	}
	got := all(t, s, PatternFilter{Newest: 2})
	if len(got) != 3 || got[0].Num != kept.Num || got[1].Fingerprint != "new" || got[2].Fingerprint != "newer" {
		t.Errorf("the newest of each review: %+v", got)
	}
}
