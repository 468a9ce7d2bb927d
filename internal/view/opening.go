package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// startOf names what the work starts from.
func startOf(s loop.Spec) string {
	if s.Leftover == "" {
		return short(s.Base)
	}
	return short(s.Base) + " and the work that " + text.Line(cmp.Or(s.RetryOf, "an earlier loop")) + " left"
}

// Opening is the text that `run` prints before the first step: the planned work
// and its limits.
func Opening(s loop.State, p Palette) []string {
	var out []string
	fact := func(name, value string) {
		out = append(out, fmt.Sprintf("%-8s%s", name, text.Clip(value, p.width()-8)))
	}
	fact("loop", s.ID)
	fact("task", s.Task.Text)
	fact("agent", agentName(s.Agent)+agentSettings(s.Agent)+" · branch "+s.Branch+" from "+startOf(s.Spec))
	for _, g := range s.Gates {
		words := g.Name + " (" + string(level(g.Level)) + "): " + cmp.Or(g.Run, g.Asks())
		if g.Threshold != nil {
			words += " ≥ " + number(g.Threshold)
		}
		if g.Scoped && len(s.Task.Scope) > 0 {
			words += " in " + listed(s.Task.Scope, 4)
		}
		fact("gate", words)
	}
	out = append(out, quarantineLines(s.Gates, s.StartedAt, p)...)
	out = append(out, permitsAll(s.Spec)...)
	out = append(out, prospectLines(redgreen.Prospect(s), p)...)
	if words := refused(s.Spec); words != "" {
		fact("refuse", words)
	}
	fact("limits", limits(s.Limits))
	if s.Budget.Any() {
		fact("budget", spendable(s.Budget)+map[bool]string{true: ", then it pauses"}[s.BudgetPauses])
	}
	if len(s.Agents) > 1 {
		fact("then", "while a usage limit is spent: "+listed(names(s.Agents[1:]), 4))
	}
	if s.Agent.Use == scripted {
		out = append(out, honesty)
	}
	return p.outAll(out)
}

// SessionBudget bounds the total spending of all runs of this process.
func SessionBudget(limit loop.Amounts, p Palette) []string {
	if !limit.Any() {
		return nil
	}
	return p.outAll([]string{fmt.Sprintf("%-8s%s", "session", text.Clip(spendable(limit), p.width()-8))})
}

// agentSettings are the settings of an agent that matter to all readers.
func agentSettings(a loop.Agent) string {
	var words []string
	if a.Model != "" {
		words = append(words, "model "+text.Line(a.Model))
	}
	if a.Permissions == loop.PermissionsSkip {
		words = append(words, "its own permission checks are off")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// demonstration stands over a report in which scripts took part.
const demonstration = "Demonstration: a loop marked (scripted) was run by a script, without AI and without cost. Gates and git are real."

// honesty stands wherever a scripted agent's results are shown as a whole.
const honesty = "The agent is a script: no AI, no network, no cost. Gates and git are real."

func limits(l loop.Limits) string {
	words := text.Plural(l.MaxIterations, "attempt")
	if l.Attempt.Hard > 0 {
		words += " of at most " + minutes(l.Attempt.Hard)
	}
	if l.Fixes > 0 {
		words += fmt.Sprintf(" · at most %d after red gates", l.Fixes)
	}
	if l.Loop.Hard > 0 {
		words += " · " + minutes(l.Loop.Hard) + " in all"
	}
	return words
}

// minutes is a limit as people set it: "20 min", or short where it is not
// whole minutes.
func minutes(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return text.Duration(d)
}

// quarantineLines names the gates whose quarantine is over: from then on a flaky one fails.
func quarantineLines(gates []loop.Gate, now time.Time, p Palette) (out []string) {
	for _, g := range gates {
		if holds, words := g.Flaky.Quarantined(now); !holds && words != "" {
			out = append(out, "flaky   "+text.Clip(g.Name+": "+words, p.width()-8))
		}
	}
	return out
}

// permitsAll warns of a permission that leaves no judge file as on the base.
func permitsAll(s loop.Spec) []string {
	globs := s.PermitsAll()
	if len(globs) == 0 {
		return nil
	}
	return []string{"permits every judge file may change (" + listed(globs, 3) + "): no test has to stay"}
}

func prospectLines(sentences []string, p Palette) (out []string) {
	if len(sentences) == 0 {
		return nil
	}
	for n, words := range text.Wrap(strings.Join(sentences, " "), p.width()-8, 8) {
		out = append(out, fmt.Sprintf("%-8s%s", []string{"proof", ""}[min(n, 1)], words))
	}
	return out
}

// gateWords are the command of a gate, or its reviewers.
func gateWords(name string, g loop.Gate) string {
	return name + "(" + string(level(g.Level)) + "): " + cmp.Or(g.Run, g.Asks())
}

// refused is what a loop refuses work for where that is not the usual; "" where it is, or
// nothing.
func refused(s loop.Spec) string {
	if slices.Equal(s.Refuse, loop.DefaultRefusals()) {
		return ""
	}
	return strings.Join(loop.CodeNames(s.Refuse), ", ")
}
