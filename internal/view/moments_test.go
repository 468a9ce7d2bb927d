package view

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// journalOf applies events to a new loop of one gate.
func journalOf(t *testing.T, id string, inPlan bool, events ...loop.Event) Journal {
	t.Helper()
	sp := spec(id, "round prices")
	sp.Gates = sp.Gates[:1]
	if inPlan {
		sp.Parent, sp.Task.ID, sp.Task.Plan = "shop", id, &loop.InPlan{}
	}
	s := loop.New(sp, clockAt(1, 0))
	base := tests(sp.Base, "TestPrice")
	begin := []loop.Event{
		loop.Acquired{Stamp: stamp(1, 0), Owner: "a", Place: loop.Background},
		loop.Prepared{Stamp: stamp(1, 0), Worktree: "/w/" + id, GateTree: "/g/" + id, Base: sp.Base},
		loop.GateEnded{Stamp: stamp(1, 1), Result: base},
	}
	all := append(begin, events...)
	for _, e := range all {
		next, err := loop.Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	return Journal{Loop: s, Events: all}
}

func stamp(h, m int) loop.Stamp { return loop.Stamp{At: clockAt(h, m)} }

func runEnded(h, m int, end loop.End, health loop.Health) []loop.Event {
	return []loop.Event{
		loop.AttemptBegan{Stamp: stamp(h, m)},
		loop.AgentEnded{Stamp: stamp(h, m), Outcome: loop.Outcome{End: end, Provider: health, Message: "503", ResetAt: clockAt(h, m+30)}},
	}
}

// TestMoments: a night of a plan with two tasks, and of a loop, is told in order; what
// happened to both at once is told once.
func TestMoments(t *testing.T) {
	t.Parallel()
	throttled := append(runEnded(1, 2, loop.EndTransient, loop.Throttled),
		loop.Woke{Stamp: stamp(1, 32)}, loop.AttemptBegan{Stamp: stamp(1, 32)})
	first := journalOf(t, "T1", true, append(throttled,
		loop.Interrupted{Stamp: stamp(1, 40), Cause: loop.CauseLack, Why: "no space left on device"},
		loop.Woke{Stamp: stamp(1, 41)}, loop.AbortAsked{Stamp: stamp(1, 50), Why: "wrong branch"})...)
	second := journalOf(t, "T2", true, append(throttled,
		loop.Asked{Stamp: stamp(1, 33), Question: loop.Question{Text: "Round up?", Options: []string{"yes", "no"}}},
		loop.AgentEnded{Stamp: stamp(1, 34), Outcome: loop.Outcome{End: loop.EndDone}},
		loop.Answered{Stamp: stamp(3, 0), By: "nina", Text: "yes"})...)
	alone := journalOf(t, "alone", false,
		loop.AttemptBegan{Stamp: stamp(1, 2)},
		loop.Acquired{Stamp: stamp(4, 0), Owner: "b", Place: loop.Background},
		loop.Acquired{Stamp: stamp(4, 10), Owner: "c", Place: loop.Background, Gap: loop.Gap{Cause: loop.GapDiskFull, Since: clockAt(4, 2)}},
		loop.Acquired{Stamp: stamp(4, 12), Owner: "c", Place: loop.Background, Gap: loop.Gap{Cause: loop.GapTaken}},
		loop.AgentEnded{Stamp: stamp(4, 14), Outcome: loop.Outcome{End: loop.EndDone}},
		loop.Interrupted{Stamp: stamp(4, 16), Lost: true, Why: "its tree is gone"})
	night := plan.State{ID: "shop", Status: loop.StatusFailed, Message: "1 of 2 tasks failed", EndedAt: clockAt(5, 0)}
	whole := Journal{Plan: &night, PlanEvents: []plan.Event{
		plan.Opened{Stamp: stamp(1, 0)},
		plan.Opened{Stamp: stamp(1, 45)},
		plan.Rested{Stamp: stamp(1, 46), Status: loop.Paused, Message: "paused on request"},
		plan.Opened{Stamp: stamp(1, 48)},
		plan.Opened{Stamp: stamp(4, 20), Gap: loop.Gap{Cause: loop.GapReboot}},
		plan.Landed{Stamp: stamp(4, 30), Task: "T2", Commit: "a41e77d0bb22"},
	}}

	var r Summary
	r.Tell([]Journal{whole, first, second, alone}, 3)
	var got strings.Builder
	r.happened(&got, now)
	want := `
## What happened (12)

- not told of 3 older runs
- 01:02 to 01:32 (30m00s) **T1, T2** waited: claude was throttled by its provider
- 01:33 to 03:00 (1h27m) **T2** asked: Round up? nina answered: yes
- 01:40 to 01:41 (1m00s) **T1** interrupted: no space left on device
- 01:45 **shop** the process had ended; another one continues
- 01:46 to 01:48 (2m00s) **shop** paused on request
- 04:00 **alone** the process had ended; another one continues
- 04:02 to 04:10 (8m00s) **alone** waited: a disk was full
- 04:12 **alone** taken over from a process that lived
- 04:16 **alone** interrupted: its tree is gone
- 04:20 **shop** the machine was started again; another process continues
- 04:30 **T2** landed as a41e77d
- 05:00 **shop** plan failed: 1 of 2 tasks failed
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestMomentsOfStrangers: events that another version wrote, in any order, are told as
// far as they are understood.
func TestMomentsOfStrangers(t *testing.T) {
	t.Parallel()
	s := started("l1", "task", clockAt(9, 0))
	var r Summary
	r.Tell([]Journal{{Loop: s, Events: []loop.Event{
		loop.Woke{Stamp: stamp(9, 0)}, loop.Accepted{Stamp: stamp(9, 1), Commit: hostile}, loop.Switched{Stamp: stamp(9, 2), Why: evil},
	}}}, 0)
	var got strings.Builder
	r.happened(&got, now)
	if n := strings.Count(got.String(), "\n- "); n != 2 {
		t.Errorf("%d moments are told:\n%s", n, got.String())
	}
	if strings.ContainsAny(got.String(), "\x1b\x07") {
		t.Errorf("control characters: %q", got.String())
	}
}
