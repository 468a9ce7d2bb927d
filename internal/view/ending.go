package view

import (
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Ending is the block that closes a run: verdict, evidence, location of the
// work, next command. Lines contains it; other front ends call it.
func Ending(s loop.State, f Facts, p Palette) []string {
	if !s.Status.Terminal() {
		return nil
	}
	return p.outAll(ending(s, f, p))
}

func ending(s loop.State, f Facts, p Palette) []string {
	out := []string{"", p.status(s.Status, s.Reason) + "  " + headline(s)}
	fact := func(name, value string) {
		if value != "" {
			out = append(out, fmt.Sprintf("  %-9s%s", name, value))
		}
	}
	long := func(name, value string) {
		for i, l := range text.Wrap(value, p.width()-11, 4) {
			fact([]string{name, ""}[min(i, 1)], l)
		}
	}
	if s.Status != loop.StatusPassed || s.Reason == loop.Imported {
		long("why", s.Message)
	}
	n, results := newestRound(s)
	for _, r := range results {
		fact("gate", text.Line(r.Gate)+" "+p.verdict(r.Verdict)+" "+text.Clip(rowWords(r, n), max(p.width()-13-text.Width(text.Line(r.Gate)), 20)))
	}
	for _, l := range lookTwice(s, f) {
		long("look", l)
	}
	fact("used", used(s))
	if s.Agent.Use == scripted {
		fact("note", "the agent is a script; gates and git are real")
	}
	fact("work", work(s))
	for _, c := range commands(s) {
		fact(c[0], c[1])
	}
	return out
}

func used(s loop.State) string {
	if s.Reason == loop.AlreadyGreen {
		return ""
	}
	return fmt.Sprintf("%d of %s · %s · tokens %s · cost %s", s.Iteration,
		text.Plural(s.Limits.MaxIterations, "iteration"), text.Duration(s.Active), tokens(s.Usage), costOf(s.Usage, s.CostUnknown))
}

// headline is the text beside the verdict.
func headline(s loop.State) string {
	switch {
	case s.Reason == loop.Imported:
		return "as another runner recorded it"
	case s.Reason == loop.AlreadyGreen:
		return "before any work: every gate passes on " + short(s.Base)
	case s.Status == loop.StatusPassed && s.Commit == "":
		return "on the files as they are"
	case s.Status == loop.StatusPassed:
		return "on commit " + short(s.Commit)
	}
	return text.Line(string(s.Reason))
}

// work returns where the result is.
func work(s loop.State) string {
	switch {
	case s.Reason == loop.AlreadyGreen, s.Reason == loop.Imported:
		return ""
	case s.Accepted != "":
		return "accepted as " + short(s.Accepted)
	case s.Status == loop.StatusPassed:
		return "branch " + text.Line(s.Branch)
	case s.FailureRef != "":
		return "kept on " + text.Line(s.FailureRef)
	case s.Commit != "":
		return "branch " + text.Line(s.Branch)
	}
	return "nothing was changed"
}
