package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// Lines returns the lines for one event of a run: usually one line, failures
// with the first of their words, and at every stop the next command. before is the
// state before the event, after the loop behind it: where that has ended, its
// history tells of all attempts.
func Lines(before loop.State, after Item, e loop.Event, now time.Time, p Palette) []string {
	w := writer{p: p, now: now, at: e.When(), s: after.State, facts: after.Facts}
	w.event(before, e)
	w.turn(before)
	return p.outAll(w.out)
}

// writer collects the lines of one event.
type writer struct {
	p   Palette
	now time.Time
	at  time.Time
	s   loop.State
	out []string

	facts Facts
}

// gutter is where the words of a step begin: behind time and attempt.
const gutter = 23

// step adds the line of a step, or up to three where the words are many. mark
// may be painted.
func (w *writer) step(mark, words string) {
	hang := gutter
	if mark != "" {
		hang += 2
		mark += " "
	}
	for i, l := range text.Wrap(words, w.p.width()-hang, 3) {
		if i == 0 {
			w.out = append(w.out, w.head()+mark+l)
		} else {
			w.out = append(w.out, strings.Repeat(" ", hang)+l)
		}
	}
}

// more adds a line under the step, whole: a command, a path, verbatim words.
func (w *writer) more(words string) {
	w.out = append(w.out, strings.Repeat(" ", gutter)+words)
}

// verbatim adds a line of a test's output under the step, on at most two lines of the screen.
func (w *writer) verbatim(line string) {
	words := strings.TrimLeft(line, " ")
	at := min(len(line)-len(words), gutter)
	for _, l := range text.Wrap(words, w.p.width()-gutter-at, 2) {
		w.more(strings.Repeat(" ", at) + l)
	}
}

func (w *writer) head() string {
	where := "base"
	if w.s.Iteration > 0 {
		where = "attempt " + numbered(w.s)
	}
	return fmt.Sprintf("%s  %s", w.p.dim(w.at.In(w.now.Location()).Format(time.TimeOnly)), text.Pad(where+" ", gutter-10))
}

func (w *writer) event(before loop.State, e loop.Event) {
	switch e := e.(type) {
	case loop.Acquired:
		if before.Status != loop.Pending {
			w.step("", "resumed"+because(doing(w.s)))
		}
	case loop.Prepared:
		w.step("", "worktree ready")
		w.more(text.Line(e.Worktree))
		for _, n := range e.Notes {
			w.step(w.p.ask("!"), n)
		}
	case loop.AttemptBegan:
		w.step("", agentName(w.s.Agent)+" at work"+timeAllowed(w.s)+approachWords(w.s))
	case loop.AgentEnded:
		w.agentEnded(e.Outcome)
	case loop.Committed:
		w.committed(e)
	case loop.GateEnded:
		w.gate(before, e.Result)
	default:
		w.aside(e)
	}
}

// aside handles events that are not steps of an attempt.
func (w *writer) aside(e loop.Event) {
	switch e := e.(type) {
	case loop.Interrupted:
		repeated := "this step will be done again"
		if e.Lost {
			repeated = "the attempt is repeated"
		}
		w.step(w.p.ask("!"), "interrupted"+because(e.Why)+"; "+repeated)
	case loop.WorkFailed:
		w.step(w.p.bad("✗"), string(e.Step)+" did not work"+because(e.Message))
	case loop.SoftPassed:
		w.step(w.p.ask("!"), "soft deadline of the "+text.Line(e.Scope)+" passed; continuing until the hard one")
	case loop.Restored:
		w.step("", fmt.Sprintf("put back to checkpoint %d", e.Checkpoint))
		if e.Kept != "" {
			w.more("what was there is kept on " + text.Line(e.Kept))
		}
	case loop.Moved:
		w.step("", "continues on another machine")
	case loop.MoveBegan:
		w.step("", "moving to "+text.Line(e.To.String()))
	case loop.MovedAway:
		w.step("", text.Line(w.s.Message))
	case loop.Arrived:
		w.step("", "arrived, and stands as it stood before")
		if e.Abandoned != "" {
			w.more("what was done on " + text.Line(e.Abandoned) + " is not here")
		}
	case loop.Woke:
		w.woke(e)
	case loop.PauseAsked:
		if w.s.Status != loop.Paused {
			w.step("", "pausing after this step")
		}
	case loop.Resumed:
		w.step("", "continues")
	case loop.AbortAsked:
		w.step(w.p.bad("✗"), "aborting"+because(e.Why))
	case loop.Asked:
		w.step(w.p.ask("?"), "asks: "+e.Question.Text)
	case loop.Steered:
		w.step("", "guidance for the next attempt: "+e.Text)
	case loop.Answered:
		w.step("", "answered: "+e.Text)
	case loop.Switched:
		w.step(w.p.ask("→"), text.Line(e.Agent.Name)+" takes over"+because(e.Why))
	case loop.BudgetSet:
		w.step("", "may spend from now on: "+spendable(e.Limit))
	case loop.BudgetWarned:
		w.step(w.p.ask("!"), "most of a budget is used"+because(e.Message))
	case loop.Kept:
		if e.Ref != "" {
			w.step("", "the failed work is kept on")
			w.more(text.Line(e.Ref))
		}
	case loop.Created, loop.Ticked, loop.Held, loop.BudgetSpent, loop.Proved, loop.Verifying, loop.Tidied, loop.Accepted, loop.Conflicted, loop.Retried:
		// The lines of turn tell what they lead to.
	default:
		w.step("", strings.ReplaceAll(e.Name(), "_", " ")+because(happened(e)))
	}
}

// woke writes which wait is over.
func (w *writer) woke(e loop.Woke) {
	for _, q := range w.s.Questions {
		if q.ID == e.Question {
			w.step(w.p.ask("!"), unanswered(q))
			return
		}
	}
	said := "the wait is over"
	if e.Asked {
		said = "tried now, as asked"
	}
	w.step("", said)
}

func timeAllowed(s loop.State) string {
	if s.Limits.Attempt.Hard == 0 {
		return ""
	}
	return ", up to " + minutes(s.Limits.Attempt.Hard)
}

func approachWords(s loop.State) string {
	a := s.Last()
	switch {
	case a == nil || a.Approach == loop.Approach{}:
		return ""
	case a.Approach.Expand && a.Approach.Shift:
		return " → another approach, with more context"
	case a.Approach.Expand:
		return " → with more context"
	}
	return " → another approach"
}

// mostTelling lines of a failure stand among the lines of a run.
const mostTelling = 6

var errorLooking = lazyregexp.New(`(?i)\b(error|errors|fail|failed|failure|panic|fatal|exception|assert\w*|expected|undefined|cannot|no such|not found|not ok|traceback)\b|✕|✗|✘`)

// listedTest is a test and its verdict in one line, as unittest and others list them.
var listedTest = lazyregexp.New(`(?i)^\S.* \.\.\. (ok|FAIL|FAILED|ERROR|skipped.*|expected failure|ignored)$|^(ok \d+|--- PASS:|\S+ PASSED\b)`)

// telling picks the lines of a failure that a person wants to see first, word
// verbatim and in one piece: from the first that looks like an error, else the
// last ones.
func telling(r loop.Result) []string {
	var lines []string
	for l := range strings.SplitSeq(text.Clean(r.Excerpt), "\n") {
		if strings.Trim(l, " \t-=_") != "" { // a line of dashes has no content
			lines = append(lines, strings.TrimRight(l, " \t"))
		}
	}
	// Tests that are listed with their verdicts stand before what failed in them.
	without := slices.DeleteFunc(slices.Clone(lines), listedTest.MatchString)
	if slices.ContainsFunc(without, errorLooking.MatchString) {
		lines = without
	}
	for i, l := range lines {
		if errorLooking.MatchString(l) {
			return untabbed(lines[i:min(len(lines), i+mostTelling)])
		}
	}
	return untabbed(lines[max(0, len(lines)-mostTelling):])
}

func untabbed(lines []string) []string {
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "\t", "    ")
	}
	return lines
}
