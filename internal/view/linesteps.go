package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// agentEnded is silent where the agent ended by itself, or with a question: the line of
// the commit or of the wait follows, and the agent's own summary is no news.
func (w *writer) agentEnded(o loop.Outcome) {
	name := agentName(w.s.Agent)
	switch {
	case putQuestion(w.s, o), o.End == loop.EndDone, o.End == loop.EndAsked, o.End == loop.EndLimit:
	case o.End == loop.EndTransient:
		w.step(w.p.ask("!"), name+" had a temporary error"+because(o.Message))
	case o.End == loop.EndInterrupted:
		w.step(w.p.ask("!"), name+" was cut off"+because(o.Message))
	case o.End == loop.EndTimeout:
		w.step(w.p.ask("!"), name+overtime(o))
	case o.End == loop.EndPermanent:
		w.step(w.p.bad("✗"), name+" cannot work"+because(o.Message))
	default:
		w.step(w.p.ask("!"), name+" ended with an error"+because(o.Message))
	}
	if o.Leftovers > 0 {
		w.step(w.p.ask("!"), fmt.Sprintf("%s left processes behind: %d, ended", name, o.Leftovers))
	}
}

// overtime: it was its deadline, or a tool that never ended.
func overtime(o loop.Outcome) string {
	if o.Message == "" || strings.HasPrefix(o.Message, "stopped after") {
		return " was stopped at its deadline after " + text.Duration(o.Duration)
	}
	return " was stopped" + because(o.Message)
}

func (w *writer) committed(e loop.Committed) {
	name := agentName(w.s.Agent)
	var took string
	if a := w.s.Last(); a != nil && a.Agent.Duration > 0 {
		took = " in " + text.Duration(a.Agent.Duration)
	}
	switch {
	case !e.Changed:
		w.step(w.p.ask("!"), name+" changed nothing"+took+"; the gates decide")
	case len(e.Files) == 0:
		w.step("", name+" changed the work"+took+" · "+short(e.Commit))
	default:
		w.step("", name+" changed "+listed(e.Files, 2)+took+" · "+short(e.Commit))
	}
	for _, n := range e.Notes {
		w.step(w.p.ask("!"), n)
	}
}

func (w *writer) gate(before loop.State, r loop.Result) {
	if before.Step == loop.StepBase {
		defer w.prospect()
	}
	if before.Step == loop.StepProof {
		w.step("", "the base again: "+text.Line(r.Gate)+": "+text.Clip(finding(r), 80)+" · "+text.Duration(r.Duration))
		return
	}
	same := alike(before, r)
	w.step(w.p.verdict(r.Verdict), text.Line(r.Gate)+": "+text.Clip(finding(r), 80)+hashWords(r, same)+" · "+text.Duration(r.Duration))
	if r.Verdict == loop.Passed || r.Verdict == loop.Skipped {
		return
	}
	if before.Step == loop.StepBase || same > 1 {
		return // the details come with the attempts, or have just been there
	}
	for _, l := range telling(r) {
		w.verbatim(w.local(l))
	}
}

// prospect follows the last gate on the base.
func (w *writer) prospect() {
	if w.s.Step != loop.StepAgent {
		return
	}
	for _, sentence := range append(redgreen.Blind(w.s), redgreen.Prospect(w.s)...) {
		w.step(w.p.ask("!"), sentence)
	}
}

// local shows the paths of our worktrees as those of the person's own tree.
func (w *writer) local(l string) string {
	for _, tree := range []string{w.s.GateTree, w.s.Worktree} {
		if tree = text.Line(tree); tree != "" {
			l = strings.ReplaceAll(l, tree+"/", "")
		}
	}
	return l
}

// hashWords names the fingerprint, and how often running the gate left it.
func hashWords(r loop.Result, same int) string {
	if r.Fingerprint == "" {
		return ""
	}
	words := " · hash " + text.Line(r.Fingerprint)
	if same > 1 {
		words += fmt.Sprintf(" (same ×%d)", same)
	}
	return words
}

// alike counts how often running the gate has left this fingerprint. Where the
// newest attempts all did, the count of the loop reaches further back.
func alike(before loop.State, r loop.Result) int {
	n := 1
	if r.Fingerprint == "" {
		return n
	}
	for i := len(before.Recent) - 2; i >= 0; i-- {
		old := resultOf(before.Recent[i].Results, r.Gate)
		if old == nil || old.Fingerprint != r.Fingerprint {
			return n
		}
		n++
	}
	if t := before.Tally; t != nil && t.Last == r.Fingerprint {
		return max(n, t.Repeats+1)
	}
	return n
}

// turn writes what the event decided: a shift of strategy, a stop, the end.
func (w *writer) turn(before loop.State) {
	switch {
	case w.s.Status.Terminal() && !before.Status.Terminal():
		w.out = append(w.out, LoopOf(Item{w.s, w.facts}, w.now).ending(w.p)...)
	case w.s.Ending != nil && before.Ending == nil && w.s.Ending.Status != loop.StatusPassed:
		w.step(w.p.bad("✗"), string(w.s.Ending.Status)+", "+string(w.s.Ending.Reason)+because(w.s.Ending.Message))
	case w.s.Status == loop.Waiting && before.Status != loop.Waiting:
		w.stop()
	case w.s.Status == loop.Paused && before.Status != loop.Paused:
		w.stop()
	case w.s.Step == loop.StepAgent && w.s.Status == loop.Running:
		if a := failedBeyondGates(before, w.s); a != nil {
			w.step(w.p.bad("✗"), text.Line(a.FailedGate)+": "+a.Error)
		}
		if before.Step != loop.StepGates {
			return
		}
		if next := loop.Next(w.s); next.Approach.Shift {
			w.step("→", fmt.Sprintf("strategy shift: what the last %s did is forbidden", text.Plural(streak(w.s), "attempt")))
		}
	}
}

// failedBeyondGates is the attempt that an event ended as failed, where that is no result of a
// gate: links, secrets, no change, a proof, a refusal. Nil is none.
func failedBeyondGates(before, after loop.State) *loop.Attempt {
	a, was := after.Last(), before.Last()
	if a == nil || a.Verdict != loop.Failed || was == nil || was.N != a.N || was.Verdict != "" {
		return nil
	}
	if _, isGate := after.Gate(a.FailedGate); isGate {
		return nil
	}
	return a
}

func stopWords(s loop.State, now time.Time) string {
	if s.Status == loop.Waiting {
		return "waiting " + stopped(s, Facts{}, now)
	}
	return cmp.Or(stopped(s, Facts{}, now), string(s.Status))
}

// stop writes the reason why the loop does not run, and the next command.
func (w *writer) stop() {
	if q := w.s.Open(); q != nil && w.s.Status == loop.Waiting && w.s.Reason == loop.ForHuman {
		w.step(w.p.ask("?"), "needs you: "+asked(q))
		for _, l := range due(*q, w.now) {
			w.more(l)
		}
	} else {
		w.step("○", stopWords(w.s, w.now))
	}
	if command := next.Loop(w.s, next.Facts{}); command != "" {
		w.more(command)
	}
}
