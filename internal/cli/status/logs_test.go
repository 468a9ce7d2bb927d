package status

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/plan"
)

// longRun is a run with many events, which it makes when they are asked for.
type longRun struct {
	runs.Run
	events, loads int
	given         int
	out           *lineCounter
	// ahead is the largest number of events that were read and not yet written.
	ahead int
}

func (r *longRun) Outcome() engine.Outcome { return engine.Outcome{ID: "long"} }

func (r *longRun) Load(context.Context) error {
	r.loads++
	return nil
}

func (r *longRun) Line(e engine.Event) string { return fmt.Sprintf("%d %s\n", e.Seq, e.Name) }

func (r *longRun) Events(_ context.Context, after int64) ([]engine.Event, error) {
	if int(after) != r.given {
		return nil, fmt.Errorf("asked for events after %d, want %d", after, r.given)
	}
	var page []engine.Event
	for len(page) < engine.EventPage && r.given < r.events {
		r.given++
		page = append(page, engine.Event{Seq: int64(r.given), At: time.Unix(1, 0), Name: "ticked", Data: []byte(`{"at":"2026-11-20T15:00:00Z"}`)})
	}
	r.ahead = max(r.ahead, r.given-r.out.lines)
	return page, nil
}

type lineCounter struct{ lines int }

func (c *lineCounter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// TestLogsStream: a page of events is written before the next one is read, whatever
// the length of the run, and the run itself is read at the beginning and the end.
func TestLogsStream(t *testing.T) {
	t.Parallel()
	for _, json := range []bool{false, true} {
		out := &lineCounter{}
		r := &longRun{events: 200*engine.EventPage + 7, out: out}
		terminal := command.Terminal{Streams: command.Streams{Out: out}, JSON: json}
		a := New(foreground.New(&project.Opener{Terminal: terminal}))
		if err := a.events(t.Context(), r, false); err != nil {
			t.Fatal(err)
		}
		if out.lines != r.events || r.ahead > engine.EventPage || r.loads > 3 {
			t.Errorf("json %v: %d lines of %d events, %d read ahead, run read %d times", json, out.lines, r.events, r.ahead, r.loads)
		}
	}
}

// TestEventLineIsCheap: the bytes that one event costs do not grow with the run.
func TestEventLineIsCheap(t *testing.T) {
	out := &lineCounter{}
	l := eventLines{Run: &longRun{}, id: "long", json: true, out: out}
	e := engine.Event{Seq: 7, At: time.Unix(1, 0), Name: "ticked", Data: []byte(`{"at":"2026-11-20T15:00:00Z"}`)}
	if n := testing.AllocsPerRun(100, func() {
		if err := l.write(e); err != nil {
			t.Fatal(err)
		}
	}); n > 15 {
		t.Errorf("%.0f allocations for one event", n)
	}
}

// TestNoOutput: a plan has no output of its own; the hint names the loop that has.
func TestNoOutput(t *testing.T) {
	t.Parallel()
	done := plan.TaskState{Status: plan.Done, Loop: "p-1"}
	failed := plan.TaskState{Status: plan.Failed, Loop: "p-2"}
	running := plan.TaskState{Status: plan.Running, Loop: "p-3"}
	for name, c := range map[string]struct {
		tasks []plan.TaskState
		f     logFlags
		want  string
	}{
		"the one in progress":  {[]plan.TaskState{running, failed, done}, logFlags{agent: true}, "ralph logs p-3 --agent"},
		"the one that failed":  {[]plan.TaskState{failed, done}, logFlags{agent: true, iteration: 2}, "ralph logs p-2 --agent --iteration 2"},
		"the last":             {[]plan.TaskState{done, {Status: plan.Pending}}, logFlags{gate: "tests"}, "ralph logs p-1 --gate tests"},
		"a repair":             {[]plan.TaskState{{Status: plan.Landing, Loop: "p-1", Repair: "p-1-r"}}, logFlags{agent: true}, "ralph logs p-1-r --agent"},
		"a plan within a plan": {[]plan.TaskState{{Status: plan.Running, Loop: "inner", Child: true}, done}, logFlags{agent: true}, "ralph logs p-1 --agent"},
		"none has begun":       {[]plan.TaskState{{Status: plan.Pending}}, logFlags{agent: true}, "ralph logs p"},
	} {
		f := exit.Classify(noOutput(plan.State{ID: "p", Tasks: c.tasks}, c.f))
		if f.Code != exit.Usage || f.Hint != c.want {
			t.Errorf("%s: %d %q, want %q", name, f.Code, f.Hint, c.want)
		}
	}
}
