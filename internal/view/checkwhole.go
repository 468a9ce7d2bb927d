package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// WholeExit is the exit code of the check s of an orchestration. lost are its parts that did not pass: with them the whole has failed although its gates
// pass.
func WholeExit(s loop.State, lost []string) int {
	if s.Status == loop.StatusPassed && len(lost) > 0 {
		return 1
	}
	return CheckExit(s)
}

// CheckWhole returns the result of the check s of an orchestration for an agent. lost
// are its parts that did not pass.
func CheckWhole(s loop.State, lost []string, now time.Time, p Palette) string {
	parts := text.Line(strings.Join(lost, ", "))
	switch {
	case len(lost) == 0:
		return Check(s, now, p)
	case s.Status != loop.StatusPassed:
		return p.Out("Parts that did not pass: "+parts+"\n") + Check(s, now, p)
	}
	return p.Out(fmt.Sprintf("✗ FAILED  %s, but not every part of %s passed · loop %s\n", gateState(s), s.Parent, s.ID) +
		"Parts that did not pass: " + parts + "\n" +
		"Do the work of each again in a new loop with the same task, agent and gates; then check again.\n" +
		"Exit code 1: failed, the whole is not done\n")
}
