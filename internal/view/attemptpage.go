package view

import (
	_ "embed"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

//go:embed parts.html.tmpl
var parts string

//go:embed parts.css
var partsStyle string

// Parts are the templates that the pages of a browser and a trace have in common: chart,
// facts, diff, loop and attempt.
func Parts() string { return parts }

// PartsStyle is the style sheet of the parts. It builds on ReportStyle.
func PartsStyle() string { return partsStyle }

// Texts are what an attempt left in files (engine.Texts).
type Texts struct {
	Prompt, Patch string
	Agent         string
	Gates         map[string]string
	// Cut is that of engine.Texts, or LeftOut.
	Cut []string
}

// LeftOut as Texts.Cut: the texts of this attempt are left out, for others took the room.
const LeftOut = "all"

// AttemptPage is an attempt with all that it left, for the part "attempt".
type AttemptPage struct {
	pageAttempt
	When, Agent, Approach, Error string
	Notes                        []string
	Prompt, Said                 string
	// PromptCut, SaidCut: there is more of it, behind the prompt and before the other.
	PromptCut, SaidCut, LeftOut bool
	// Files are the first files that changed.
	Files  []string
	Checks []GatePage
	Diff   Diff
}

// GatePage is a gate's result with what it printed. Mark is ok, bad or go. Cut: it
// printed more before.
type GatePage struct {
	Mark, Name, Words, Output string
	Cut                       bool
}

// GatesOf are the names of the gates that judged an attempt.
func GatesOf(a loop.Attempt) []string {
	out := make([]string, len(a.Results))
	for i, r := range a.Results {
		out[i] = r.Gate
	}
	return out
}

// AttemptAt is the i-th of the loop's attempts, counted from 0, with its texts.
func (l Loop) AttemptAt(i int, t Texts) AttemptPage {
	a := l.Attempts[i]
	p := AttemptPage{
		pageAttempt: l.attemptRow(a), Agent: text.Line(a.By), Error: text.SpacedLine(a.Error), Prompt: text.Clean(t.Prompt),
		Said: said(t.Agent), Diff: ReadDiff([]byte(t.Patch)),
		PromptCut: slices.Contains(t.Cut, "prompt"), SaidCut: slices.Contains(t.Cut, "agent"),
		LeftOut: slices.Contains(t.Cut, LeftOut),
	}
	p.Diff.Cut = p.Diff.Cut || slices.Contains(t.Cut, "patch")
	for _, f := range a.Files {
		p.Files = append(p.Files, text.Line(f))
	}
	if how := approach(a.Approach); how != "normal" {
		p.Approach = how
	}
	if !a.StartedAt.IsZero() {
		p.When = a.StartedAt.Local().Format("2006-01-02 15:04:05")
	}
	for _, n := range a.Notes {
		p.Notes = append(p.Notes, text.Line(n))
	}
	for _, r := range a.Results {
		p.Checks = append(p.Checks, checkOf(r, a.N, t.Gates[r.Gate], slices.Contains(t.Cut, "gate "+r.Gate)))
	}
	return p
}

func checkOf(r loop.Result, attempt int, output string, cut bool) GatePage {
	c := GatePage{Cut: cut, Mark: markOfVerdict(r.Verdict), Name: text.Line(r.Gate), Words: rowWords(r, attempt), Output: strings.TrimSpace(text.Clean(output))}
	if c.Output == "" {
		c.Output = excerpt(r)
	}
	return c
}

// said is the readable text of what an agent printed.
func said(output string) string {
	var lines []string
	for line := range strings.Lines(output) {
		for _, l := range AgentLine(strings.TrimSuffix(line, "\n")) {
			lines = append(lines, text.Cut(text.Clean(l), 2000))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// markOfVerdict is the colour of a gate's result: ok, bad or go.
func markOfVerdict(v loop.Verdict) string {
	switch v {
	case loop.Passed:
		return "ok"
	case loop.Skipped, "":
		return "go"
	}
	return "bad"
}
