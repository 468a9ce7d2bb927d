package report

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Record is one event of a loop's history.
type Record struct {
	Seq   int64
	Event loop.Event
}

// History lists what happened, one line an event.
func History(records []Record, now time.Time, p Palette) string {
	var b strings.Builder
	for _, r := range records {
		head := fmt.Sprintf("%5d  %s  %-14s ", r.Seq, r.Event.When().In(now.Location()).Format("2006-01-02 15:04:05"), loop.Name(r.Event))
		fmt.Fprintln(&b, strings.TrimRight(head+clip(happened(r.Event), max(p.width()-columns(head), 20)), " "))
	}
	if len(records) == 0 {
		b.WriteString("Nothing has happened yet.\n")
	}
	return p.Out(b.String())
}

// Happened is what an event tells beyond its name, in one line; often nothing.
func Happened(e loop.Event) string { return line(happened(e)) }

// happened is what an event tells beyond its name.
func happened(e loop.Event) string {
	switch e := e.(type) {
	case loop.Acquired:
		return e.Owner
	case loop.Prepared:
		return e.Worktree
	case loop.Interrupted:
		return e.Why
	case loop.AgentEnded:
		return string(e.Outcome.End) + because(e.Outcome.Message)
	case loop.Committed:
		if !e.Changed {
			return "no change"
		}
		return short(e.Commit) + " " + listed(e.Files, 3)
	case loop.GateEnded:
		return e.Result.Gate + ": " + finding(e.Result)
	case loop.WorkFailed:
		return string(e.Step) + because(e.Message)
	case loop.SoftPassed:
		return e.Scope
	case loop.Restored:
		return fmt.Sprintf("checkpoint %d as %s", e.Checkpoint, short(e.Commit)) + because(e.Kept)
	case loop.PauseAsked:
		return e.Why
	case loop.AbortAsked:
		return e.Why
	case loop.Asked:
		return e.Question.Text
	case loop.Steered:
		return e.Text
	case loop.Answered:
		return e.Text
	case loop.Woke:
		if e.Question != "" {
			return "nobody answered " + e.Question + " in time; its default is taken"
		}
	case loop.Held:
		return string(e.Reason) + because(e.Message)
	case loop.Switched:
		return "to " + e.Agent.Name + because(e.Why)
	case loop.BudgetWarned:
		return e.Budget + because(e.Message)
	case loop.BudgetSpent:
		return e.Budget + because(e.Message)
	case loop.Kept:
		return e.Ref
	case loop.Accepted:
		return e.Branch + " at " + short(e.Commit)
	}
	return ""
}
