package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/text"
)

// Show is the history of one loop: facts, attempts, the last failure verbatim,
// evidence, notes, and the next command.
func Show(s loop.State, f Facts, now time.Time, p Palette) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", p.status(Status(s, f), s.Reason), p.bold(text.Line(s.ID)))
	for _, part := range Story(s, f, now, p) {
		if part.Title != Known {
			fmt.Fprintf(&b, "\n%s\n", p.bold(part.Title))
		}
		b.WriteString(part.Text)
	}
	return p.Out(b.String())
}

// Part is one section of a loop's story. Its text has whole lines.
type Part struct{ Title, Text string }

// The titles of parts; that of the last failure continues with its attempt.
const (
	Known       = "FACTS"
	Tried       = "ATTEMPTS"
	LastFailure = "LAST FAILURE"
	Judged      = "GATES"
	LookTwice   = "LOOK TWICE"
	ToType      = "NEXT"
)

// Story describes a loop in parts, for front ends with an order
// of their own. Parts without a word are left out.
func Story(s loop.State, f Facts, now time.Time, p Palette) []Part {
	var out []Part
	part := func(title string, write func(*strings.Builder)) {
		var b strings.Builder
		if write(&b); b.Len() > 0 {
			out = append(out, Part{title, p.Out(b.String())})
		}
	}
	part(Known, func(b *strings.Builder) { facts(b, s, f, now) })
	part(Tried, func(b *strings.Builder) { attempts(b, f.attempts(s), p) })
	if a := failed(s); a != nil && s.Status != loop.StatusPassed {
		part(fmt.Sprintf("%s (attempt %d)", LastFailure, a.N), func(b *strings.Builder) { failure(b, *a, p) })
	}
	part(Judged, func(b *strings.Builder) { gateRows(b, s, p) })
	part(LookTwice, func(b *strings.Builder) { notes(b, s, f) })
	part(ToType, func(b *strings.Builder) {
		if next := Next(s, f); next != "" {
			fmt.Fprintf(b, "  %s\n", text.Line(next))
		}
	})
	return out
}

func facts(b *strings.Builder, s loop.State, f Facts, now time.Time) {
	fact := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "%-10s%s\n", name, value)
		}
	}
	fact("task", text.Indent(s.Task.Text, 10))
	for i, c := range s.Task.Criteria {
		fact([]string{"criteria", ""}[min(i, 1)], "- "+text.Line(c))
	}
	name, why := "now", strings.Join(append([]string{stopped(s, f, now)}, openBehind(Item{s, f}, now)...), "; ")
	switch groupOf(Item{s, f}) {
	case needsYou:
		why = needsBy(Item{s, f}, now)
	case running:
		why = doing(s)
	case ended:
		name, why = "ended", text.Line(string(s.Reason))+because(s.Message)
	}
	fact(name, why)
	fact("agent", agentName(s.Agent))
	fact("sandbox", heldBy(s))
	fact("iteration", fmt.Sprintf("%d of %d", s.Iteration, s.Limits.MaxIterations))
	fact("branch", text.Line(s.Branch))
	fact("from", short(s.Base))
	fact("commit", text.Line(s.Commit))
	fact("worktree", text.Line(treeOf(s)))
	fact("kept on", text.Line(keptOn(s)))
	fact("time", times(s, now))
	fact("usage", "tokens "+tokens(s.Usage)+" · cost "+costOf(s.Usage, s.CostUnknown))
	if len(s.Spent) > 1 || len(s.Spent) == 1 && s.Spent[0].Review {
		for i, p := range s.Spent {
			fact([]string{"by agent", ""}[min(i, 1)], spentWords(p))
		}
	}
	for i, b := range f.Budgets {
		fact([]string{"budgets", ""}[min(i, 1)], string(b.Level)+": "+b.Line())
	}
	if s.LimitWait > 0 {
		fact("limits", text.Duration(s.LimitWait)+" lost to usage limits")
	}
	fact("owner", text.Line(f.Owner))
	fact("parent", text.Line(s.Parent))
	fact("scope", listed(s.Task.Scope, 8))
	for _, o := range f.Overlaps {
		fact("", o.Words())
	}
	if f.Archived {
		fact("archived", "yes")
	}
	for _, g := range s.Guidance {
		fact("guidance", text.Line(g))
	}
	for _, q := range s.Questions {
		if q.Answered {
			fact("answered", text.Line(q.Text)+" → "+answeredWords(q))
		}
	}
}

// heldBy is the sandbox of the agent, newest run first; empty is not recorded.
func heldBy(s loop.State) string {
	for _, a := range slices.Backward(s.Recent) {
		if a.Agent.Sandbox != "" {
			return string(a.Agent.Sandbox)
		}
	}
	return ""
}

func times(s loop.State, now time.Time) string {
	if s.StartedAt.IsZero() {
		return ""
	}
	words := "from " + text.Clock(s.StartedAt, now)
	if !s.EndedAt.IsZero() {
		words += " to " + text.Clock(s.EndedAt, now)
	}
	return words + ", " + text.Duration(s.Active) + " of it active"
}

// attempts is the history table of seed 004, one row an attempt.
func attempts(b *strings.Builder, attempts []loop.Attempt, p Palette) {
	if len(attempts) == 0 {
		return
	}
	fmt.Fprintf(b, "  %-3s %-9s %-14s %-9s %-13s %s\n", "#", "result", "gate", "hash", "approach", "change")
	for _, a := range attempts {
		fmt.Fprintf(b, "  %-3d %s %s %s %s %s\n", a.N, resultCell(a, p),
			text.Pad(text.Clip(a.FailedGate, 14), 14), text.Pad(text.Clip(a.Fingerprint, 9), 9), text.Pad(approach(a.Approach), 13),
			text.Clip(change(a), max(p.width()-55, 12)))
	}
}

func resultCell(a loop.Attempt, p Palette) string {
	word := string(a.Verdict)
	switch {
	case word == "":
		return text.Pad("· open", 9)
	case a.Verdict == loop.Passed:
		return p.good(text.Pad("✓ passed", 9))
	}
	return p.bad(text.Pad("✗ "+word, 9))
}

// change describes the changes of an attempt to the tree, and the end of its
// agent if that was not by itself.
func change(a loop.Attempt) string {
	var words string
	switch {
	case a.Changed && len(a.Files) > 0:
		words = text.Plural(len(a.Files), "file") + " " + short(a.Commit)
	case a.Changed:
		words = short(a.Commit)
	case a.Commit != "" || a.Tree != "":
		words = "no change"
	}
	if a.Agent.End != "" && a.Agent.End != loop.EndDone {
		words += " (agent: " + string(a.Agent.End) + ")"
	}
	if u := usageOf(a); u.CostMicroUSD != nil {
		words += " · " + money.Show(*u.CostMicroUSD)
	}
	return strings.TrimSpace(words)
}

// failure prints the output of the gates of a failed attempt, word for word.
func failure(b *strings.Builder, a loop.Attempt, p Palette) {
	for _, r := range a.Results {
		if r.Verdict == loop.Passed || r.Level == loop.Soft {
			continue
		}
		fmt.Fprintf(b, "  %s %s: %s\n", p.verdict(r.Verdict), text.Line(r.Gate), text.Line(r.Reason))
		verbatim(b, r.Excerpt)
	}
	if len(a.Results) == 0 {
		fmt.Fprintf(b, "  %s\n", text.Line(a.Error))
	}
}

func verbatim(b *strings.Builder, excerpt string) {
	if excerpt = strings.Trim(text.Clean(excerpt), "\n"); excerpt != "" {
		fmt.Fprintf(b, "    %s\n", strings.ReplaceAll(excerpt, "\n", "\n    "))
	}
}

func notes(b *strings.Builder, s loop.State, f Facts) {
	for _, n := range lookTwice(s, f) {
		fmt.Fprintf(b, "  - %s\n", n)
	}
}
