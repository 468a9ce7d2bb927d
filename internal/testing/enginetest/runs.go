package enginetest

import (
	"errors"
	"slices"
	"testing"

	"ralph/internal/engine"
)

// unknown holds the verbs of either kind of run to what they do with a name that
// there is not.
func unknown[Spec, State, Run any](t *testing.T, r engine.Runs[Spec, State, Run]) {
	t.Helper()
	ctx, abort := t.Context(), engine.Command{Kind: engine.Abort}
	for verb, err := range map[string]error{
		"find":    errorOf(r.Find(ctx, "nothing")),
		"show":    errorOf(r.Show(ctx, "nothing")),
		"events":  errorOf(r.Events(ctx, "nothing", 0)),
		"resume":  errorOf(r.Resume(ctx, "nothing", engine.Options{}, engine.Drive{})),
		"send":    errorOf(r.Send(ctx, "nothing", abort)),
		"accept":  errorOf(r.Accept(ctx, "nothing", engine.AcceptOptions{})),
		"archive": r.Archive(ctx, "nothing"),
	} {
		if !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

// listed checks that the marks of a list agree with it, with every filter.
func listed[Spec, State any, Run engine.Named](t *testing.T, r engine.Runs[Spec, State, Run]) {
	t.Helper()
	for _, f := range []engine.Filter{{}, {Active: true}, {Ended: true}, {Archived: true}, {Unclosed: true}, {Apart: true}, {Parent: "other"}, {Limit: 1}} {
		all, err := r.List(t.Context(), f)
		if err != nil {
			t.Fatalf("list: %v", err)
		}
		marks, err := r.Marks(t.Context(), f)
		if err != nil {
			t.Fatalf("marks: %v", err)
		}
		var want, got []string
		for _, one := range all {
			want = append(want, one.RunID())
		}
		for _, m := range marks {
			got = append(got, m.ID)
		}
		if !slices.Equal(want, got) {
			t.Errorf("%+v lists %v, marks %v", f, want, got)
		}
		if n, err := r.Count(t.Context(), f); err != nil || f.Limit == 0 && n != len(all) {
			t.Errorf("%+v lists %d, counted %d, %v", f, len(all), n, err)
		}
	}
}

// numbered checks that the events of a run are numbered from 1 without a gap, that
// the newest is the run's, and that reading continues after any of them.
func numbered[Spec, State, Run any](t *testing.T, r engine.Runs[Spec, State, Run], id string, newest int64) {
	t.Helper()
	all, err := r.Events(t.Context(), id, 0)
	if err != nil {
		t.Fatalf("events: %v", err)
	}
	for i, e := range all {
		if e.Seq != int64(i)+1 || e.Name == "" || e.At.IsZero() {
			t.Errorf("event %d is %d %q of %s", i+1, e.Seq, e.Name, e.At)
		}
	}
	if int64(len(all)) != newest {
		t.Errorf("%d events, the newest is %d", len(all), newest)
	}
	if rest, err := r.Events(t.Context(), id, newest-1); err != nil || len(rest) != 1 {
		t.Errorf("%d events after the last but one: %v", len(rest), err)
	}
}
