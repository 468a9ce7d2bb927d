package report

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// Ending is the block that closes a run: verdict, evidence, where the work is,
// what to type next. It stands in Lines already; other faces ask for it.
func Ending(s loop.State, f Facts, p Palette) []string {
	if !s.Status.Terminal() {
		return nil
	}
	return p.outAll(ending(s, p))
}

func ending(s loop.State, p Palette) []string {
	out := []string{"", p.status(s.Status, s.Reason) + "  " + clip(endingWords(s), max(p.width()-11, 20))}
	fact := func(name, value string) {
		if value != "" {
			out = append(out, fmt.Sprintf("  %-9s%s", name, value))
		}
	}
	n, results := newestRound(s)
	for _, r := range results {
		fact("gate", line(r.Gate)+" "+p.verdict(r.Verdict)+" "+clip(rowWords(r, n), max(p.width()-30, 20)))
	}
	fact("work", work(s))
	for _, l := range lookTwice(s) {
		fact("look", clip(l, p.width()-11))
	}
	if s.Agent.Use == scripted {
		fact("note", "the agent is a script; gates and git are real")
	}
	for _, c := range commands(s) {
		fact(c[0], c[1])
	}
	return out
}

func endingWords(s loop.State) string {
	words := fmt.Sprintf("%s of %s · %s · tokens %s · cost %s", fmt.Sprint(s.Iteration),
		plural(s.Limits.MaxIterations, "iteration"), duration(s.Active), tokens(s.Usage), cost(s.Usage))
	switch {
	case s.Reason == loop.AlreadyGreen:
		return "before any work: every gate passes on " + short(s.Base)
	case s.Status == loop.StatusPassed:
		return "on commit " + short(s.Commit) + " · " + words
	}
	return line(string(s.Reason)) + because(s.Message) + " · " + words
}

// work says where the result is.
func work(s loop.State) string {
	switch {
	case s.Reason == loop.AlreadyGreen:
		return ""
	case s.Status == loop.StatusPassed:
		return "branch " + line(s.Branch)
	case s.FailureRef != "":
		return "kept on " + line(s.FailureRef)
	case s.Commit != "":
		return "branch " + line(s.Branch)
	}
	return "nothing was changed"
}

// commands are what a person may want to type, the next one first.
func commands(s loop.State) [][2]string {
	next := Next(s, Facts{})
	out := [][2]string{{"next", next}}
	add := func(name, command string) {
		if command != next && !strings.HasPrefix(next, command+" ") {
			out = append(out, [2]string{name, command})
		}
	}
	switch {
	case s.Reason == loop.AlreadyGreen:
	case s.Status == loop.StatusPassed:
		add("review", "ralph show "+s.ID+" --diff")
	default:
		add("retry", "ralph retry "+s.ID)
	}
	return out
}
