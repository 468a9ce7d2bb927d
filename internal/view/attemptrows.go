package view

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/text"
)

// attempts is the history table of seed 004, one row an attempt.
func attempts(b *strings.Builder, s loop.State, p Palette) {
	if len(s.Attempts) == 0 {
		return
	}
	fmt.Fprintf(b, "  %-3s %-9s %-14s %-9s %-13s %s\n", "#", "result", "gate", "hash", "approach", "change")
	for _, a := range s.Attempts {
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

// change is what an attempt did to the tree, and how its agent ended if that
// was not by itself.
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

// failure prints what the gates of a failed attempt said, as they said it.
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

func notes(b *strings.Builder, s loop.State) {
	for _, n := range lookTwice(s) {
		fmt.Fprintf(b, "  - %s\n", n)
	}
}
