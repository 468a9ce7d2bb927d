package view

import (
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Ending is the block that closes a run: verdict, evidence, location of the
// work, next command. Lines contains it; other front ends call it.
func (l Loop) Ending(p Palette) []string {
	if !l.Status.Terminal() {
		return nil
	}
	return p.outAll(l.ending(p))
}

func (l Loop) ending(p Palette) []string {
	out := []string{"", p.status(l.Status, l.Reason) + "  " + l.headline()}
	fact := func(name, value string) {
		if value != "" {
			out = append(out, fmt.Sprintf("  %-9s%s", name, value))
		}
	}
	long := func(name, value string) {
		for i, line := range text.Wrap(value, p.width()-11, 4) {
			fact([]string{name, ""}[min(i, 1)], line)
		}
	}
	if l.Status != loop.StatusPassed || l.Reason == loop.Imported {
		long("why", l.Message)
	}
	for _, r := range l.Results {
		fact("gate", text.Line(r.Gate)+" "+p.verdict(r.Verdict)+" "+text.Clip(rowWords(r, l.Round), max(p.width()-14-text.Width(text.Line(r.Gate)), 20)))
	}
	for _, note := range l.LookTwice {
		long("look", note)
	}
	fact("used", l.used())
	if l.Spec.Agent.Use == scripted {
		fact("note", "the agent is a script; gates and git are real")
	}
	fact("work", l.work())
	for _, c := range l.commands() {
		fact(c[0], c[1])
	}
	return out
}

func (l Loop) used() string {
	if l.Reason == loop.AlreadyGreen {
		return ""
	}
	return fmt.Sprintf("%d of %s · %s · tokens %s · cost %s", l.Made,
		text.Plural(l.Spec.Limits.MaxIterations, "attempt"), text.Duration(l.Active), tokens(l.Usage), costOf(l.Usage, l.CostUnknown))
}

// headline is the text beside the verdict.
func (l Loop) headline() string {
	switch {
	case l.Reason == loop.Imported:
		return "as another runner recorded it"
	case l.Reason == loop.AlreadyGreen:
		return "before any work: every gate passes on " + short(l.Spec.Base)
	case l.Status == loop.StatusPassed && l.Commit == "":
		return "on the files as they are"
	case l.Status == loop.StatusPassed:
		return "on commit " + short(l.Commit)
	}
	return text.Line(string(l.Reason))
}

// hasBranch reports whether the loop has a branch of its own: one that failed without a change
// leaves none, one whose work is kept left it there.
func (l Loop) hasBranch() bool {
	failed := l.Status == loop.StatusFailed || l.Status == loop.Aborted
	return !failed || l.KeptOn == "" && l.Commit != "" && l.Commit != l.Spec.Base
}

// work returns where the result is.
func (l Loop) work() string {
	switch {
	case l.Reason == loop.AlreadyGreen, l.Reason == loop.Imported, l.Reason == loop.Left:
		return ""
	case l.Accepted != "":
		return "accepted as " + short(l.Accepted)
	case l.Status == loop.StatusPassed:
		return "branch " + text.Line(l.Spec.Branch)
	case l.KeptOn != "":
		return "kept on " + text.Line(l.KeptOn)
	case l.Commit != "" && l.Commit != l.Spec.Base:
		return "branch " + text.Line(l.Spec.Branch)
	}
	return "nothing was changed"
}
