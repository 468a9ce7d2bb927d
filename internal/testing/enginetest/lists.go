package enginetest

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// listRow is what a list has with a filter.
type listRow struct {
	filter engine.Filter
	want   []string
}

// listRows have each field of a filter, for loops and plans alike. Of "driven" there is none
// among plans. since lies between the runs before "passed" and it.
func listRows(since time.Time) []listRow {
	type f = engine.Filter
	return []listRow{
		{f{}, []string{"on", "inner", "passed", "failed", "closed", "driven"}},
		{f{Archived: true}, []string{"on", "inner", "passed", "archived", "failed", "closed", "driven"}},
		{f{Active: true}, []string{"on", "inner", "driven"}},
		{f{Active: true, Archived: true}, []string{"on", "inner", "driven"}},
		{f{Ended: true}, []string{"passed", "failed", "closed"}},
		{f{Ended: true, Archived: true}, []string{"passed", "archived", "failed", "closed"}},
		{f{Active: true, Ended: true}, nil},
		{f{Unclosed: true}, []string{"passed", "failed"}},
		{f{Unclosed: true, Archived: true}, []string{"passed", "failed"}},
		{f{Unclosed: true, Active: true}, nil},
		{f{Mode: loop.AgentDriven}, []string{"driven"}},
		{f{Parent: "outer"}, []string{"inner"}},
		{f{Parent: "outer", Ended: true}, nil},
		{f{Apart: true}, []string{"on", "passed", "failed", "closed", "driven"}},
		{f{Since: since}, []string{"on", "inner", "passed"}},
		{f{Since: since, Ended: true, Archived: true}, []string{"passed"}},
		{f{Limit: 2}, []string{"on", "inner"}},
		{f{Limit: 1, Unclosed: true}, []string{"passed"}},
		{f{Limit: 1, Ended: true, Apart: true}, []string{"passed"}},
		{f{Limit: 9}, []string{"on", "inner", "passed", "failed", "closed", "driven"}},
	}
}

func storeLists[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	if f.Driven != nil {
		f.record(t, f.Driven("driven"), nil)
	}
	for _, over := range []struct {
		id string
		in func(S) S
	}{{"closed", f.Closed}, {"failed", f.Failed}, {"archived", f.Failed}} {
		f.end(t, f.create(t, over.id, nil), over.in)
	}
	ok(t, f.Store.Archive(t.Context(), "archived"))
	since := f.after(t, "archived")
	f.end(t, f.create(t, "passed", nil), f.Passed)
	inner, spec := f.InPlan("inner", "outer")
	f.record(t, inner, spec)
	f.create(t, "on", nil)

	asked := map[string]bool{}
	for _, row := range listRows(since) {
		want := slices.DeleteFunc(row.want, func(id string) bool { return id == "driven" && f.Driven == nil })
		if got := f.ids(t, row.filter); !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", row.filter, got, want)
		}
		if n, err := f.Store.Count(t.Context(), row.filter); err != nil || n != len(want) && row.filter.Limit == 0 {
			t.Errorf("%+v: counted %d of %d, %v", row.filter, n, len(want), err)
		}
		for field, value := range reflect.ValueOf(row.filter).Fields() {
			asked[field.Name] = asked[field.Name] || !value.IsZero()
		}
	}
	for field, is := range asked {
		if !is {
			t.Errorf("no row has the field %s", field)
		}
	}
}

// newestFirst: the newest loop is the one that was created last, the newest plan the one
// that changed last.
func newestFirst[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	older := f.create(t, "older", nil)
	f.create(t, "newer", nil)
	f.after(t, "newer")
	ok(t, f.step(t, older))
	want := []string{"newer", "older"}
	if f.Again {
		slices.Reverse(want)
	}
	if got := f.ids(t, engine.Filter{}); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := f.ids(t, engine.Filter{Limit: 1}); !slices.Equal(got, want[:1]) {
		t.Errorf("the newest is %v, want %v", got, want[:1])
	}
}

func endedIsArchived[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	l := f.create(t, "run", nil)
	refused := func() {
		t.Helper()
		if err := f.Store.Archive(t.Context(), "run"); !errors.Is(err, engine.ErrNotEnded) {
			t.Errorf("a run that has not ended: %v", err)
		}
		if r, err := f.Store.Read(t.Context(), "run"); err != nil || r.Archived {
			t.Errorf("archived %v, %v", r.Archived, err)
		}
	}
	refused()
	ok(t, l.Release(t.Context()))
	refused()
	f.end(t, f.acquire(t, "run", false), f.Closed)
	for range 2 { // a second time changes nothing
		ok(t, f.Store.Archive(t.Context(), "run"))
	}
	if r, err := f.Store.Read(t.Context(), "run"); err != nil || !r.Archived {
		t.Errorf("archived %v, %v", r.Archived, err)
	}
}

// end commits that a run has ended, and ends its lease.
func (f StoreFixture[S, E, L]) end(t *testing.T, l L, in func(S) S) {
	t.Helper()
	ok(t, l.Commit(t.Context(), in(l.State()), nil))
	ok(t, l.Release(t.Context()))
}

func (f StoreFixture[S, E, L]) ids(t *testing.T, which engine.Filter) (ids []string) {
	t.Helper()
	all, err := f.Store.List(t.Context(), which)
	ok(t, err)
	for _, r := range all {
		ids = append(ids, f.ID(r.State))
	}
	return ids
}

// after waits until the clock is past the last change of a run.
func (f StoreFixture[S, E, L]) after(t *testing.T, id string) time.Time {
	t.Helper()
	r, err := f.Store.Read(t.Context(), id)
	ok(t, err)
	if r.Updated.IsZero() {
		t.Errorf("%s has no time of its last change", id)
	}
	for {
		if now := time.Now(); now.After(r.Updated) {
			return now
		}
	}
}
