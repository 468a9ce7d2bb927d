package view

import (
	"fmt"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// details returns the lines under a loop: its task, its state, and other loops
// that declare the same files.
func details(i Item, now time.Time) []string {
	s := i.State
	task := text.Clip(s.Task.Text, 100) + " · " + agentName(s.Agent)
	if s.Parent != "" {
		task += " · part of " + text.Line(s.Parent)
	}
	out := []string{task}
	switch i.group() {
	case GroupNeedsYou:
		if s.Status.Terminal() {
			out = append(out, endWords(s)...)
			break
		}
		out = append(out, needs(i, now))
		if i.Facts.Crashed && s.Open() != nil { // the next command answers
			s.Questions = nil
			out = append(out, "to continue: "+Item{s, i.Facts}.next())
		}
		out = append(out, dueOf(i, now)...)
	case GroupRunning:
		if s.Mode == loop.AgentDriven {
			out = append(out, drivenFacts(s, now))
		} else {
			out = append(out, i.working())
		}
	case GroupWaiting:
		out = append(out, stopped(s, i.Facts, now))
		out = append(out, openBehind(i, now)...)
	case GroupReady:
		out = append(append(out, endWords(s)...), asksAbout(i.Look())...)
	case GroupEnded:
		out = append(out, endWords(s)...)
	}
	if other := next.OtherAgent(s); other != "" {
		out = append(out, "with another agent: "+other)
	}
	if i.Facts.Archived {
		out = append(out, "archived")
	}
	for _, o := range i.Facts.Overlaps {
		out = append(out, o.Words())
	}
	return out
}

// endWords describe how a loop ended and what became of its work.
func endWords(s loop.State) []string {
	out := []string{verdictWords(s)}
	switch {
	case s.Accepted != "" && s.Reason != loop.AlreadyGreen && s.Reason != loop.Imported:
		out = append(out, "accepted as "+short(s.Accepted))
	case s.FailureRef != "":
		out = append(out, keptOn+text.Line(s.FailureRef))
	}
	if s.ToolMissing() {
		if how := next.Install(s.BaseResults[len(s.BaseResults)-1].Reason); how != "" {
			out = append(out, "to install it: "+how)
		}
	}
	if c := s.Conflict(); c != nil {
		out = append(out, clashWords(c, s.ID, s.Branch)...)
	}
	if s.RetriedBy != "" {
		out = append(out, "retried by "+text.Line(s.RetriedBy))
	}
	return append(out, unheard(s)...)
}

// unheard names the guidance that came too late for an attempt of a loop that has ended. A
// retry has it.
func unheard(s loop.State) (out []string) {
	if !s.Status.Terminal() || s.RetriedBy != "" {
		return nil
	}
	how := ""
	switch {
	case s.InPlan():
		how = "; the task's next loop can be steered with it"
	case s.Status != loop.StatusPassed:
		how = "; its retry begins with it: " + next.Retry(s.ID)
	}
	for _, g := range s.Unheard() {
		out = append(out, `guidance came too late for an attempt: "`+text.Clip(g, 100)+`"`+how)
	}
	return out
}

// needs is why a loop needs a person: its question, or that its process is gone.
func needs(i Item, now time.Time) string {
	q := i.State.Open()
	switch {
	case q == nil:
		return stopped(i.State, i.Facts, now)
	case i.Facts.Crashed:
		return asksWords + asked(q) + "; " + stopped(i.State, i.Facts, now)
	}
	return asksWords + asked(q)
}

func asked(q *loop.Question) string {
	words := joinLines(q.Text)
	if len(q.Options) > 0 {
		options := q.Options
		if q.Dispute != nil && !slices.Contains(options, loop.SayUphold) {
			options = append([]string{loop.SayUphold + " GLOB…"}, options...)
		}
		words += " [" + listed(options, 6) + "]"
	}
	return words
}

// verdictWords sums up how a loop ended.
func verdictWords(s loop.State) string {
	if s.Status != loop.StatusPassed || s.Reason == loop.Imported {
		return reasonWords(s) + alsoMet(s)
	}
	if s.Reason == loop.AlreadyGreen {
		return "already green before any work: " + evidence(s.BaseResults)
	}
	_, results := newestRound(s)
	words := evidence(results) + " · on " + short(s.Commit)
	if label := proofOf(s); label != "" {
		words += " · " + label
	}
	return words
}

// reasonWords are why a loop ended. A person's, or a plan's, words stand for themselves.
func reasonWords(s loop.State) string {
	if (s.Reason == loop.Manual || s.Reason == loop.Left) && s.Message != "" {
		return text.Line(s.Message)
	}
	return text.Line(string(s.Reason)) + because(s.Message)
}

// alsoMet is how the agent of the last attempt failed, where the reason of the end is
// what the gates said.
func alsoMet(s loop.State) string {
	a := s.Last()
	if a == nil || a.Met() == "" || s.Disputing() || s.Reason == loop.AgentError || s.Reason == loop.Manual {
		return ""
	}
	return text.Line(fmt.Sprintf("; the agent of attempt %d %s", a.N, a.Met()))
}
