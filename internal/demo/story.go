package demo

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Story is one task of the demonstration, and how it must end.
type Story struct {
	// Name is the loop's id and the task's, and part of the files' names.
	Name string
	Task string
	// Announced describes the expected course.
	Announced string
	// MaxIterations is the cap.
	MaxIterations int
	Ending        Ending
}

// Ending is the required end of a story, as the store records it.
type Ending struct {
	Status   loop.Status
	Reason   loop.Reason
	Attempts []Attempt
	// Kept requires a failure branch.
	Kept bool
}

// Attempt is the required record of one attempt.
type Attempt struct {
	Passed, Changed bool
	// Same: it failed with the fingerprint of the attempt before it.
	Same bool
	// Shift: it was made under a shift of strategy.
	Shift bool
	// Cheat: its tests end with exit code 0, since it rewrote one of them.
	Cheat bool
}

// Stories returns the two tasks in the order of the demonstration.
func Stories() []Story {
	return []Story{
		{
			Name:          "slugify",
			Task:          "slugify: turn titles into names for URLs",
			Announced:     "Three attempts make the same mistake. ralph notices, forbids that approach, and the fourth attempt passes.",
			MaxIterations: 5,
			Ending: Ending{
				Status: loop.StatusPassed, Reason: loop.Green,
				Attempts: []Attempt{{Changed: true}, {Changed: true, Same: true}, {Changed: true, Same: true}, {Changed: true, Passed: true, Shift: true}},
			},
		},
		{
			Name:          "truncate",
			Task:          "truncate: shorten texts to a limit",
			Announced:     "This task fails on purpose: its agent cheats. It claims to be done without a change, then rewrites the test that finds its mistake, and claims again. Now the tests end with exit code 0, which is enough for a plain loop. ralph judges with the tests of the base, stops after 3 attempts and keeps the work on a wip branch.",
			MaxIterations: 3,
			Ending: Ending{
				Status: loop.StatusFailed, Reason: loop.MaxAttempts,
				Attempts: []Attempt{{}, {Changed: true, Cheat: true}, {Same: true, Cheat: true}},
				Kept:     true,
			},
		},
	}
}

// Variant is the project for one test runner.
type Variant struct {
	// Name is the required program.
	Name string
	// Probe is a command that exits 0 where the variant works. It prints the path
	// of the real program, behind the scripts of version managers, which would
	// take most of the demonstration's time.
	Probe []string
	// Tests is the command line without the file of the tests.
	Tests string
	// prefix and suffix make the file of the tests of a story's name.
	prefix, suffix string
}

// Variants returns all variants, the preferred one first.
func Variants() []Variant {
	return []Variant{
		{
			Name:  "python3",
			Probe: []string{"python3", "-c", "import sys, unittest; print(sys.executable); sys.exit(sys.version_info < (3, 8))"},
			Tests: "python3 -m unittest", prefix: "test_", suffix: ".py",
		},
		{
			Name:  "node",
			Probe: []string{"node", "-e", "console.log(process.execPath); process.exitCode = parseInt(process.versions.node) < 20 ? 1 : 0"},
			Tests: "node --test", suffix: ".test.mjs",
		},
		{
			Name:  "sh",
			Probe: []string{"sh", "-c", "printf x | tr x y | sed s/y/z/ | cut -c 2"},
			Tests: "sh", prefix: "test_", suffix: ".sh",
		},
	}
}

// Test returns the command line of a story's gate.
func (v Variant) Test(s Story) string { return v.Tests + " " + v.prefix + s.Name + v.suffix }

// FailurePrefix begins the name of the branch that keeps a story's failed work
// (seed 004).
func (s Story) FailurePrefix() string { return "wip/ralph-fail-" + s.Name + "-" }

// Differs compares the record of a loop with the announcement, and returns a
// sentence per difference.
func (s Story) Differs(got loop.State) []string {
	var out []string
	differ := func(what string, got, want any) {
		if got != want {
			out = append(out, fmt.Sprintf("%s: %s is %v, announced was %v", s.Name, what, got, want))
		}
	}
	differ("status", got.Status, s.Ending.Status)
	differ("reason", got.Reason, s.Ending.Reason)
	differ("number of attempts", len(got.Recent), len(s.Ending.Attempts))
	for i, want := range s.Ending.Attempts[:min(len(got.Recent), len(s.Ending.Attempts))] {
		a, what := got.Recent[i], fmt.Sprintf("attempt %d ", i+1)
		differ(what+"passed", a.Verdict == loop.Passed, want.Passed)
		differ(what+"changed something", a.Changed, want.Changed)
		differ(what+"passed only with a rewritten test", slices.ContainsFunc(a.Results, setAside), want.Cheat)
		differ(what+"shifted", a.Approach.Shift, want.Shift)
		differ(what+"failed like the one before", i > 0 && a.Fingerprint != "" && a.Fingerprint == got.Recent[i-1].Fingerprint, want.Same)
	}
	differ("failed work is kept", strings.HasPrefix(got.FailureRef, s.FailurePrefix()), s.Ending.Kept)
	return out
}

// setAside reports whether a gate passed only with judge files that the work changed.
func setAside(r loop.Result) bool {
	return r.Judging != nil && r.Judging.Verdict != loop.Passed
}
