package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ralph/internal/loop"
)

func TestParseGateFlag(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text string
		want GateFlag
		err  string
	}{
		{text: "tests", want: GateFlag{Name: "tests"}},
		{text: "coverage=80", want: GateFlag{Name: "coverage", Threshold: new(80.0)}},
		{text: "coverage=80.5%", want: GateFlag{Name: "coverage", Threshold: new(80.5)}},
		{text: "coverage=0", want: GateFlag{Name: "coverage", Threshold: new(0.0)}},
		{text: "coverage=baseline", want: GateFlag{Name: "coverage", Baseline: true}},
		{text: "coverage@scope", want: GateFlag{Name: "coverage", Scoped: true}},
		{text: "coverage@scope=80", want: GateFlag{Name: "coverage", Scoped: true, Threshold: new(80.0)}},
		{text: "coverage@scope=baseline", want: GateFlag{Name: "coverage", Scoped: true, Baseline: true}},
		{text: "coverage@x", err: "is not valid after @"},
		{text: "coverage@", err: "is not valid after @"},
		{text: "@scope", err: "is not a valid name"},
		{text: "", err: "is not a valid name"},
		{text: "=80", err: "is not a valid name"},
		{text: "../x", err: "is not a valid name"},
		{text: "coverage=", err: "is not a percentage"},
		{text: "coverage=NaN", err: "is not a percentage"},
		{text: "coverage=1e2", err: "is not a percentage"},
		{text: "coverage=101", err: "is not between 0 and 100"},
		{text: "coverage=-0", err: "is not between 0 and 100"},
		{text: "coverage=80=90", err: "is not a percentage"},
	} {
		got, err := ParseGateFlag(row.text)
		if row.err != "" {
			if err == nil || !strings.Contains(err.Error(), "--gate: ") || !strings.Contains(err.Error(), row.err) {
				t.Errorf("%q: %v, want %s", row.text, err, row.err)
			}
			continue
		}
		if d := cmp.Diff(row.want, got); err != nil || d != "" {
			t.Errorf("%q: %v\n%s", row.text, err, d)
		}
	}
}

func TestSelectGates(t *testing.T) {
	t.Parallel()
	have := []loop.Gate{
		{Name: "tests", Kind: loop.KindTests, Optional: true},
		{Name: "coverage", Kind: loop.KindCoverage, Level: loop.Soft, Baseline: true},
	}
	got, err := SelectGates(have, []GateFlag{{Name: "coverage", Threshold: new(80.0)}, {Name: "tests"}})
	want := []loop.Gate{
		{Name: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Threshold: new(80.0)},
		{Name: "tests", Kind: loop.KindTests, Level: loop.Hard},
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	_, err = SelectGates(have, []GateFlag{{Name: "test"}, {Name: "tests", Baseline: true}, {Name: "zzzz"}})
	for _, part := range []string{`there is no gate "test"; did you mean "tests"?`, "of kind tests and has no floor", "there are: tests, coverage"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want %s", err, part)
		}
	}
	got, err = SelectGates(have, []GateFlag{{Name: "coverage", Scoped: true}})
	if err != nil || !got[0].Scoped || have[1].Scoped {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err = SelectGates(have, []GateFlag{{Name: "tests", Scoped: true}}); err == nil || !strings.Contains(err.Error(), "of kind tests and cannot be limited to the scope") {
		t.Errorf("got %v", err)
	}
	if have[1].Threshold != nil || have[1].Level != loop.Soft || !have[0].Optional {
		t.Error("the configured gate was changed")
	}
}

func TestSelectRefusesTwice(t *testing.T) {
	t.Parallel()
	_, err := SelectGates([]loop.Gate{{Name: "tests"}}, []GateFlag{{Name: "tests"}, {Name: "tests"}})
	if err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("got %v", err)
	}
}

// TestAskedForIsHard: no run passes while a gate that a person named has not
// passed, whatever the file says of it.
func TestAskedForIsHard(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		have, flags := anyGates(t)
		gates, err := SelectGates(have, flags)
		if err != nil {
			t.Fatal(err)
		}
		s := passedOrNot(t, gates)
		if s.Status != loop.StatusPassed {
			return
		}
		for _, f := range flags {
			passed := slices.ContainsFunc(s.Last().Results, func(r loop.Result) bool { return r.Gate == f.Name && r.Verdict == loop.Passed })
			if !passed {
				t.Fatalf("passed, but %s was asked for: %+v", f.Name, s.Last().Results)
			}
		}
	})
}

// anyGates are configured gates, and flags that name at least one of them.
func anyGates(t *rapid.T) ([]loop.Gate, []GateFlag) {
	names := rapid.Permutation([]string{"a", "b", "c", "d"}).Draw(t, "names")
	named := rapid.IntRange(1, len(names)).Draw(t, "named")
	var have []loop.Gate
	var flags []GateFlag
	for i, n := range names {
		have = append(have, loop.Gate{
			Name: n, Kind: rapid.SampledFrom([]loop.Kind{loop.KindCommand, loop.KindCoverage, loop.KindHuman}).Draw(t, "kind"),
			Level:    rapid.SampledFrom([]loop.Level{loop.Hard, loop.Soft, ""}).Draw(t, "level"),
			Optional: rapid.Bool().Draw(t, "optional"),
		})
		if i < named {
			flags = append(flags, GateFlag{Name: n})
		}
	}
	return have, flags
}

// passedOrNot runs a loop over the gates, each with any result each time.
func passedOrNot(t *rapid.T, gates []loop.Gate) loop.State {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	stamp := func() loop.Stamp { at = at.Add(time.Second); return loop.Stamp{At: at} }
	s := loop.New(loop.Spec{ID: "x", Task: loop.Task{ID: "x", Text: "do it"}, Base: "base", Gates: gates, Limits: loop.DefaultLimits()}, at)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	do := func(e loop.Event) {
		n, err := loop.Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		s = n
	}
	do(loop.Acquired{Stamp: stamp()})
	for !s.Status.Terminal() {
		switch a := loop.Next(s); a.Do {
		case loop.DoPrepare:
			do(loop.Prepared{Stamp: stamp(), Worktree: "/w", GateTree: "/g"})
		case loop.DoAgent:
			do(loop.AttemptBegan{Stamp: stamp()})
			do(loop.AgentEnded{Stamp: stamp(), Outcome: loop.Outcome{End: loop.EndDone}})
		case loop.DoCommit:
			do(loop.Committed{Stamp: stamp(), Commit: fmt.Sprintf("c%d", a.Attempt), Changed: true, Differs: true})
		case loop.DoGate, loop.DoReview:
			v := rapid.SampledFrom([]loop.Verdict{loop.Passed, loop.Passed, loop.Passed, loop.Failed, loop.Error, loop.Skipped}).Draw(t, "verdict")
			do(loop.GateEnded{Stamp: stamp(), Result: loop.Result{Gate: a.Gate.Name, Commit: a.Commit, Verdict: v, Reason: string(v)}})
		case loop.DoKeep:
			do(loop.Kept{Stamp: stamp(), Ref: a.Ref, Commit: "kept"})
		case loop.DoTidy:
			do(loop.Tidied{Stamp: stamp()})
		default:
			t.Fatalf("the loop stands still: %s in %s", a.Do, s.Status)
		}
	}
	return s
}
