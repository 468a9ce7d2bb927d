package team

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// roster are workers that have these labels.
type roster [][]string

func (r roster) Workers(context.Context) (out []engine.WorkerProcess, err error) {
	for _, labels := range r {
		out = append(out, engine.WorkerProcess{Labels: labels, Seen: time.Now()})
	}
	return out, nil
}

func (roster) Announce(context.Context, func() engine.WorkerProcess) {}

// places are loops that have one; over is one whose lease is over.
type places struct {
	ids  []string
	over string
}

func (places) Admit(context.Context, string, int64, int) error { return engine.ErrNoPlace }
func (places) Leave(context.Context, string, int64) error      { return nil }

func (p *places) Placed(context.Context) ([]string, error) { return p.ids, nil }

func (p *places) Sweep(context.Context) error {
	p.ids = slices.DeleteFunc(p.ids, func(id string) bool { return id == p.over })
	return nil
}

// TestAdmitted: of the loops that are to run and have no place, the oldest are left in, as
// many as places are free. What has a place, rests, or runs needs none; what waits for a label
// that no worker has gets none.
func TestAdmitted(t *testing.T) {
	t.Parallel()
	pending := func(id string, runsOn ...string) engine.Stored[loop.State] {
		return engine.Stored[loop.State]{State: loop.State{Spec: loop.Spec{ID: id, RunsOn: runsOn}, Status: loop.Pending}}
	}
	live := func(id string) engine.Stored[loop.State] {
		r := pending(id)
		r.Live, r.State.Status = true, loop.Running
		return r
	}
	paused := pending("paused")
	paused.State.Status = loop.Paused
	for name, c := range map[string]struct {
		most         int
		oldest       []engine.Stored[loop.State]
		placed, over string
		want         string
	}{
		"no bound":             {0, []engine.Stored[loop.State]{live("a"), pending("b"), pending("c")}, "", "", "a b c"},
		"one place left":       {2, []engine.Stored[loop.State]{live("a"), pending("b"), pending("c")}, "a", "", "a b"},
		"none left":            {1, []engine.Stored[loop.State]{live("a"), pending("b")}, "a", "", "a"},
		"a younger one has it": {1, []engine.Stored[loop.State]{pending("a"), live("b"), pending("c")}, "b", "", "b"},
		"its worker died":      {1, []engine.Stored[loop.State]{pending("a"), pending("b")}, "b", "", "b"},
		"its lease is over":    {1, []engine.Stored[loop.State]{pending("a"), paused}, "paused", "paused", "a paused"},
		"what rests":           {1, []engine.Stored[loop.State]{paused, pending("b"), pending("c")}, "", "", "paused b"},
		"a label of a worker":  {1, []engine.Stored[loop.State]{pending("a", "gpu"), pending("b")}, "", "", "a"},
		"a label of none":      {1, []engine.Stored[loop.State]{pending("a", "fpga"), pending("b")}, "", "", "b"},
	} {
		newest := slices.Clone(c.oldest)
		slices.Reverse(newest)
		w := Worker{Most: c.most, Places: &places{strings.Fields(c.placed), c.over}, Roster: roster{{"gpu"}, nil}}
		all, err := w.admitted(t.Context(), newest)
		if err != nil {
			t.Error(err)
		}
		var got []string
		for _, r := range slices.Backward(all) {
			got = append(got, r.State.ID)
		}
		if now := strings.Join(got, " "); now != c.want {
			t.Errorf("%s: %s, not %s", name, now, c.want)
		}
	}
}

// TestNewerIsLeft: a run that a newer version wrote is left to a worker of that version,
// and this is reported once.
func TestNewerIsLeft(t *testing.T) {
	t.Parallel()
	var said []string
	w := Worker{Slots: 1, Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
	w.begin()
	r := engine.Stored[loop.State]{State: loop.State{Spec: loop.Spec{ID: "a"}, Status: loop.Pending}, Newer: `unknown field "x"`}
	for range 2 {
		if wanted, err := w.wanted(t.Context(), r); wanted || err != nil {
			t.Errorf("wanted %v, %v", wanted, err)
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], `a: left alone: a newer ralph wrote its record; install the same version here (unknown field "x")`) {
		t.Errorf("%q", said)
	}
	r.Newer = ""
	if wanted, err := w.wanted(t.Context(), r); !wanted || err != nil {
		t.Errorf("of this version: wanted %v, %v", wanted, err)
	}
}
