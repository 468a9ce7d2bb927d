package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestPlainCountsTheRunThatFailed: of a gate that failed with the base's judge files, the tests
// of that run are counted, which its reason is about.
func TestPlainCountsTheRunThatFailed(t *testing.T) {
	t.Parallel()
	r := loop.Result{
		Gate: "tests", Verdict: loop.Failed, Reason: "1 of 2 tests failed; …", Tests: &loop.Tests{Run: 1},
		Judging: &loop.Judging{Verdict: loop.Failed, Tests: &loop.Tests{Run: 2, Failed: 1}},
	}
	line := plainLine(time.Unix(0, 0), loop.State{}, gateFields(loop.State{}, r))
	if !strings.Contains(line, " judges=base failing=1 tests=2 ") {
		t.Error(line)
	}
	if r.Judging.Tests = nil; strings.Contains(plainLine(time.Unix(0, 0), loop.State{}, gateFields(loop.State{}, r)), "tests=1") {
		t.Error("the tests of the other run are counted")
	}
}
