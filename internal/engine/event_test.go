package engine_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestDecoded: an event of a loop or of a plan is decoded as what it is; one that this
// version does not know, or that is damaged, has none.
func TestDecoded(t *testing.T) {
	t.Parallel()
	event := func(name, data string) journal.Event {
		r := engine.Event{Name: name, Data: []byte(data)}
		if name == "landed" {
			return engine.Decode(r, plan.Decode).Decoded
		}
		return engine.Decode(r, loop.Decode).Decoded
	}
	if e, is := event("steered", `{"text":"more"}`).(loop.Steered); !is || e.Text != "more" {
		t.Errorf("of a loop: %+v", e)
	}
	if e, is := event("landed", `{"task":"a"}`).(plan.Landed); !is || e.Task != "a" {
		t.Errorf("of a plan: %+v", e)
	}
	for name, data := range map[string]string{"of_a_newer_version": "{}", "steered": "{", "landed": "["} {
		if e := event(name, data); e != nil {
			t.Errorf("%s %s: %T", name, data, e)
		}
	}
}

// TestRecords: records are read page by page, and no further than asked for.
func TestRecords(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	pages := 0
	page := func(_ context.Context, _ string, after int64) (out []engine.Event, err error) {
		if pages++; after >= 5 {
			return nil, nil
		}
		return []engine.Event{{Seq: after + 1}, {Seq: after + 2}}, nil
	}
	for _, c := range []struct {
		after, last int64
		want        []int64
		pages       int
		damaged     bool
	}{
		{0, 2, []int64{1, 2}, 1, false},
		{0, 3, []int64{1, 2, 3}, 2, false},
		{3, 3, nil, 0, false},
		{4, 3, nil, 0, false},
		{1, engine.Newest, []int64{2, 3, 4, 5}, 3, false},
		{1, 7, []int64{2, 3, 4, 5}, 3, true},
	} {
		var got []int64
		var failed error
		pages = 0
		for r, err := range engine.Events(t.Context(), page, "run", c.after, c.last) {
			if failed = err; err == nil {
				got = append(got, r.Seq)
			}
		}
		if !slices.Equal(got, c.want) || pages != c.pages || errors.Is(failed, engine.ErrDamaged) != c.damaged {
			t.Errorf("after %d up to %d: %v from %d pages, %v", c.after, c.last, got, pages, failed)
		}
	}
	for _, err := range engine.Events(t.Context(), func(context.Context, string, int64) ([]engine.Event, error) { return nil, refused }, "run", 0, 1) {
		if !errors.Is(err, refused) {
			t.Errorf("%v", err)
		}
	}
	for r := range engine.Events(t.Context(), page, "run", 0, 5) {
		if r.Seq > 1 {
			t.Error("it went on")
		}
		break
	}
}
