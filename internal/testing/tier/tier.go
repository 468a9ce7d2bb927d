// Package tier sorts tests into those that `make test` runs and those that
// `make soak` adds, and gives all of them the same margin of time.
//
// The quick tier holds each feature, format and rule once, and needs no more
// than five minutes on two idle cores. The long tier adds the kill matrices,
// the stress tests, the scenarios whose rules the quick tier holds elsewhere,
// and the sandbox around every scenario.
//
// The messages of skipped tests begin with [Soak] or [Lack]: internal/testing/suite
// counts them at the end of a run.
package tier

import (
	"os"
	"testing"
	"time"
)

// Hang is how long a test waits for something that must happen before it calls
// that a hang. It decides nothing else: a slow machine needs minutes where a
// fast one needs milliseconds.
const Hang = 10 * time.Minute

// Soak begins the message of a test that only the long tier runs; Lack begins
// the message of a test that needs something which this machine does not have.
const (
	Soak = "left to make soak"
	Lack = "this machine lacks "
)

// Variable selects the long tier: "" is the quick one, "1" the long one, "all"
// tries every pair of kill points as well, which takes hours.
const Variable = "RALPH_SOAK"

// Long reports whether the long tier runs.
func Long() bool { return os.Getenv(Variable) != "" }

// Every reports whether every pair of kill points is tried.
func Every() bool { return os.Getenv(Variable) == "all" }

// SkipUnlessLong leaves a test to the long tier.
func SkipUnlessLong(t testing.TB) {
	t.Helper()
	if !Long() {
		t.Skip(Soak)
	}
}

// SkipLacking skips a test on a machine that lacks what it needs: a program, a
// right, a feature of the kernel.
func SkipLacking(t testing.TB, what string, why ...any) {
	t.Helper()
	t.Skip(append([]any{Lack + what + ": "}, why...)...)
}

// Eventually waits for a condition that no signal announces.
func Eventually(t testing.TB, what string, met func() bool) {
	t.Helper()
	limit := time.After(Hang)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !met() {
		select {
		case <-limit:
			t.Fatalf("after %s still waiting for: %s", Hang, what)
		case <-tick.C:
		}
	}
}
