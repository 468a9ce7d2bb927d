package migrate

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ralph/internal/loop"
)

// sound says what is wrong with the loop that f becomes.
func sound(f Found) error {
	name := ""
	for name = range f.Names() {
		break
	}
	if err := loop.ValidID(name); err != nil {
		return err
	}
	sp := spec(name)
	sp.Gates = []loop.Gate{{Name: "until", Kind: loop.KindCommand, Level: loop.Hard, Run: "false"}}
	ended := f.End(spec(name), "", now())
	for _, s := range []loop.State{f.Adopt(sp, now()), ended, f.End(sp, "no gate", now())} {
		if err := wellMade(s); err != nil {
			return fmt.Errorf("%s: %w", s.Status, err)
		}
	}
	if f.Standing != Open || f.Obstacle() != "" {
		return nil
	}
	return goesOn(f.Adopt(sp, now()))
}

func wellMade(s loop.State) error {
	last := 0
	for i, a := range s.Recent {
		switch {
		case a.N <= last:
			return fmt.Errorf("attempt %d after %d", a.N, last)
		case a.Verdict == "" && (i < len(s.Recent)-1 || a.N != s.Iteration):
			return fmt.Errorf("attempt %d of %d is under way", a.N, s.Iteration)
		case a.StartedAt.IsZero() || a.StartedAt.After(now()) || a.Verdict != "" && a.EndedAt.IsZero():
			return fmt.Errorf("attempt %d from %s to %s", a.N, a.StartedAt, a.EndedAt)
		}
		last = a.N
	}
	switch {
	case last > s.Iteration:
		return fmt.Errorf("attempt %d in iteration %d", last, s.Iteration)
	case s.StartedAt.IsZero() || s.LastAt.Before(s.StartedAt) || s.LastAt.After(now()):
		return fmt.Errorf("from %s to %s", s.StartedAt, s.LastAt)
	case s.Status.Terminal() && (s.EndedAt.IsZero() || s.Message == "" || s.Reason == ""):
		return fmt.Errorf("ended at %s for %q: %q", s.EndedAt, s.Reason, s.Message)
	}
	_, err := json.Marshal(s)
	return err
}

// goesOn plays the loop to its end with an agent that never succeeds.
func goesOn(s loop.State) (err error) {
	if err := s.Validate(); err != nil {
		return err
	}
	stamp := loop.Stamp{At: now()}
	begun := s.Iteration
	for _, e := range []loop.Event{
		loop.Acquired{Stamp: stamp}, loop.Resumed{Stamp: stamp}, loop.Prepared{Stamp: stamp, Worktree: "/w", GateTree: "/g", Base: "b0"},
	} {
		if s, err = loop.Apply(s, e); err != nil {
			return err
		}
	}
	for range 10_000 {
		var e loop.Event
		switch a := loop.Next(s); a.Do {
		case loop.DoGate:
			e = loop.GateEnded{Stamp: stamp, Result: loop.Result{Gate: a.Gate.Name, Verdict: loop.Failed, Commit: a.Commit, Reason: fmt.Sprint("no ", s.Iteration)}}
		case loop.DoAgent:
			e = loop.AttemptBegan{Stamp: stamp}
			if s.Began {
				e = loop.AgentEnded{Stamp: stamp, Outcome: loop.Outcome{End: loop.EndDone}}
			}
		case loop.DoCommit:
			e = loop.Committed{Stamp: stamp, Commit: fmt.Sprint("c", s.Iteration), Changed: true, Differs: true}
		case loop.DoKeep:
			e = loop.Kept{Stamp: stamp, Ref: "wip"}
		case loop.DoTidy:
			e = loop.Tidied{Stamp: stamp}
		default:
			return fmt.Errorf("asked to %s in %s/%s", a.Do, s.Status, s.Step)
		}
		if s, err = loop.Apply(s, e); err != nil {
			return err
		}
		if s.Status.Terminal() {
			if s.Reason != loop.MaxAttempts && s.Reason != loop.Regression && s.Reason != loop.Plateau || s.Iteration > s.Limits.MaxIterations || s.Iteration < begun {
				return fmt.Errorf("ended for %s at %d of %d", s.Reason, s.Iteration, s.Limits.MaxIterations)
			}
			return nil
		}
		if s.Limits.MaxIterations > 50 && s.Iteration > begun+10 {
			return nil
		}
	}
	return fmt.Errorf("no end")
}

// TestEveryFoundLoopIsSound draws loops as no file would hold them.
func TestEveryFoundLoopIsSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		time := rapid.Custom(func(t *rapid.T) (at [1]int64) { at[0] = rapid.Int64Range(-1, 8e9).Draw(t, "unix"); return at })
		when := func(name string) string {
			if at := time.Draw(t, name); at[0] >= 0 {
				return fmt.Sprintf(`%d`, at[0]*1000)
			}
			return "null"
		}
		var events []string
		for range rapid.IntRange(0, 6).Draw(t, "events") {
			events = append(events, fmt.Sprintf(`{"iter": %d, "passed": %t, "value": %d, "at": %s}`,
				rapid.IntRange(-1, 8).Draw(t, "iter"), rapid.Bool().Draw(t, "passed"), rapid.IntRange(0, 3).Draw(t, "value"), when("at")))
		}
		text := fmt.Sprintf(`{"loopId": %q, "task": %q, "status": %q, "iteration": %d, "maxIterations": %d, "startTime": %s, "endTime": %s, "last_updated": %s, "iterations": [%s]}`,
			rapid.SampledFrom([]string{"a", "", "../x", "Ä", "a.lock", "x..y"}).Draw(t, "id"), rapid.SampledFrom([]string{"", "t"}).Draw(t, "task"),
			rapid.SampledFrom([]string{"running", "failed", "completed", "?"}).Draw(t, "status"), rapid.IntRange(-1, 9).Draw(t, "iteration"),
			rapid.IntRange(-1, 9).Draw(t, "max"), when("start"), when("end"), when("updated"), joined(events))
		found, _, err := ParseAiwg([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		found.endUsedUp()
		if err := sound(found); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
	})
}

func joined(list []string) (out string) {
	for i, s := range list {
		if i > 0 {
			out += ", "
		}
		out += s
	}
	return out
}
