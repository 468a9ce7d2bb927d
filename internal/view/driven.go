package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// CheckSchema is the name of DrivenObject's format.
const CheckSchema = "ralph.check/v1"

// DrivenObject is a loop that its agent drives as JSON: seed 000's fields, then
// what an agent needs to continue.
type DrivenObject struct {
	Schema string `json:"schema"`
	loop.Summary

	ExitCode int          `json:"exit_code"`
	Left     int          `json:"attempts_left"`
	Reason   *string      `json:"reason"`
	Message  string       `json:"message"`
	Deadline *time.Time   `json:"deadline"`
	After    []string     `json:"after"`
	Session  *string      `json:"session"`
	Commit   *string      `json:"commit"`
	Tree     *string      `json:"tree"`
	Gates    []GateObject `json:"gates"`
	Failure  *Failure     `json:"failure"`
	Shift    bool         `json:"strategy_shift"`
	Guidance []string     `json:"guidance"`
	Next     string       `json:"next"`
	Archived bool         `json:"archived"`
	TaskText string       `json:"task"`
	EndedAt  *time.Time   `json:"completed_at"`
	Live     bool         `json:"live"`
	// Lost are parts of an orchestration that did not pass, reported with its final
	// verification.
	Lost []string `json:"parts_not_passed"`
	// Verification is nil where the newest check has none.
	Verification *Verification `json:"verification"`
}

// Failure is the last failure, verbatim.
type Failure struct {
	Gate        string `json:"gate"`
	Error       string `json:"error"`
	Fingerprint string `json:"fingerprint"`
	Times       int    `json:"times_running"`
	Output      string `json:"output"`
	OutputFile  string `json:"output_file"`
}

// Driven is the object of a loop that its agent drives.
func Driven(s loop.State, f Facts) DrivenObject {
	round, results := newestRound(s)
	o := DrivenObject{
		Schema: CheckSchema, Summary: s.Summary(Status(s, f), f.attempts(s)),
		ExitCode: CheckExit(s), Left: left(s), Reason: orNull(string(s.Reason)), Message: s.Message,
		Deadline: timeOrNull(s.EndsAt()), After: append([]string{}, s.After...), Session: orNull(s.Session),
		Gates: gateObjects(s.Gates, results, round), Failure: failedLast(s), Shift: shifted(s), Guidance: append([]string{}, s.Guidance...),
		Next: nextCheck(s), Archived: f.Archived, TaskText: s.Task.Text, EndedAt: timeOrNull(s.EndedAt), Live: f.Live, Lost: []string{},
		Verification: verificationOf(s),
	}
	if a := s.Last(); a != nil {
		o.Commit, o.Tree = orNull(a.Commit), orNull(a.Tree)
	}
	return o
}

// CheckExit is seed 000's exit code: 0 passed, 1 over without passing, 2 not
// yet.
func CheckExit(s loop.State) int {
	switch {
	case s.Status == loop.StatusPassed:
		return 0
	case s.Status.Terminal():
		return 1
	}
	return 2
}

func left(s loop.State) int {
	if s.Status.Terminal() {
		return 0
	}
	return max(s.Limits.MaxIterations-s.Iteration, 0)
}

// shifted: the same failure came so often that another approach is due.
func shifted(s loop.State) bool {
	return !s.Status.Terminal() && s.Limits.StuckAfter > 0 && streak(s) >= s.Limits.StuckAfter
}

func failedLast(s loop.State) *Failure {
	a := failed(s)
	if a == nil || s.Status == loop.StatusPassed {
		return nil
	}
	f := &Failure{Gate: a.FailedGate, Error: loop.ReasonForAgents(a.Error, a.FailedGate), Fingerprint: a.Fingerprint, Times: streak(s)}
	if r := resultOf(a.Results, a.FailedGate); r != nil {
		f.Output, f.OutputFile = forAgent(r.Excerpt), r.OutputFile
		if r.Judging != nil && r.Judging.Verdict != loop.Passed { // the excerpt is its own
			f.OutputFile = r.Judging.OutputFile
		}
	}
	return f
}

// nextCheck is the command that the agent types next; empty when there is none.
func nextCheck(s loop.State) string {
	if s.Status.Terminal() {
		return ""
	}
	return next.Check(s.ID)
}

// DrivenList is one line a loop that agents drive, those of an orchestration
// under its name.
func DrivenList(items []Item, now time.Time, p Palette) string {
	if len(items) == 0 {
		return "No agent-driven loops here. Begin one: ralph loop init --gate NAME\n"
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b Item) int { return strings.Compare(a.State.Parent, b.State.Parent) })
	var b strings.Builder
	parent := ""
	for _, it := range items {
		s := it.State
		if s.Parent != parent {
			parent = s.Parent
			fmt.Fprintf(&b, "%s\n", p.bold(text.Line(parent)))
		}
		indent := ""
		if parent != "" {
			indent = "  "
		}
		fmt.Fprintf(&b, "%s%s  %s  %s\n", indent, text.Pad(p.status(Status(s, it.Facts), s.Reason), 12), text.Line(s.ID), text.Clip(drivenFacts(s, now), p.width()-20-len(s.ID)))
	}
	return p.Out(b.String())
}

func drivenFacts(s loop.State, now time.Time) string {
	facts := []string{fmt.Sprintf("%s · check %d/%d", gateState(s), s.Iteration, s.Limits.MaxIterations)}
	if s.Reason != "" {
		facts = append(facts, string(s.Reason))
	}
	if until := s.EndsAt(); !until.IsZero() {
		facts = append(facts, text.Duration(max(until.Sub(now), 0).Round(time.Second))+" left")
	}
	return strings.Join(facts, " · ")
}
