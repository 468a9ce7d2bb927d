package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// The text goes into an agent's context: the end of the output matters most,
// and the file has all of it.
const (
	agentLines = 40
	agentBytes = 4 << 10
)

// Check returns the result of a check for an agent: the verdict in the first
// line, the failures verbatim, the next step, and the meaning of the exit code.
func Check(s loop.State, now time.Time, p Palette) string {
	return Stands(s, now, p) + fmt.Sprintf("Exit code %d: %s\n", CheckExit(s), exitWords(s))
}

// Stands is Check without the exit code, for readers who run no check.
func Stands(s loop.State, now time.Time, p Palette) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s · check %d of %d%s · loop %s\n", checkWord(s), gateState(s), s.Iteration, s.Limits.MaxIterations, room(s, now), s.ID)
	head, told := p.Out(b.String()), ""
	b.Reset()
	switch {
	case s.Status == loop.StatusPassed:
		b.WriteString("Every hard gate passed on these files. You are done: report success.\n")
		b.WriteString(lookWords(s))
	case s.Status.Terminal():
		gate := ""
		if a := s.Last(); a != nil {
			gate = a.FailedGate
		}
		head += p.Out(fmt.Sprintf("%s: %s\n", text.Line(string(s.Reason)), text.SpacedLine(loop.ReasonForAgents(s.Message, gate))))
		told = failedWords(s, p)
		b.WriteString(refusal(s))
		b.WriteString("This loop is over. Stop, and report the failure with its reason.\n")
	case s.Status == loop.Waiting, s.Status == loop.Paused:
		fmt.Fprintf(&b, "%s\n", text.Line(s.Message))
		b.WriteString(standsStill(s))
	case s.InVerification():
		b.WriteString("The gates passed in the agent's tree; the final verification is under way.\n")
	default:
		told = failedWords(s, p)
		b.WriteString(refusal(s))
		nextStep(&b, s)
	}
	return head + told + p.Out(b.String())
}

func checkWord(s loop.State) string {
	switch {
	case s.Status == loop.StatusPassed:
		return "✓ PASSED"
	case s.Status.Terminal():
		return "✗ " + strings.ToUpper(string(s.Status))
	case s.Status == loop.Running && s.InVerification():
		return "○ VERIFYING"
	case s.Status == loop.Running && s.Iteration == 0:
		return "○ NOT CHECKED YET"
	case s.Status == loop.Running:
		return "✗ NOT YET"
	}
	return "○ " + strings.ToUpper(string(s.Status))
}

// gateState lists each hard gate with its newest result.
func gateState(s loop.State) string {
	_, results := newestRound(s)
	var parts []string
	for _, g := range s.Gates {
		if g.Level == loop.Soft {
			continue
		}
		words := text.Line(g.Name)
		if r := resultOf(results, g.Name); r != nil {
			words += " " + text.Clip(finding(*r), 70)
		} else if g.Threshold != nil {
			words += " ≥ " + number(g.Threshold)
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, ", ")
}

// room returns the remaining attempts and time of the loop.
func room(s loop.State, now time.Time) string {
	if s.Status.Terminal() {
		return ""
	}
	words := fmt.Sprintf(" · %d left", left(s))
	if until := s.EndsAt(); !until.IsZero() {
		words += ", ends by itself in " + text.Duration(max(until.Sub(now), 0).Round(time.Second))
	}
	return words
}

// failedWords returns the failures; the output is unchanged.
func failedWords(s loop.State, p Palette) string {
	f := failedLast(s)
	if f == nil {
		return ""
	}
	what := text.Line(f.Gate)
	if _, isGate := s.Gate(f.Gate); isGate {
		what = "gate " + what
	}
	words := p.Out(fmt.Sprintf("Failed: %s: %s\n", what, text.SpacedLine(f.Error)))
	if f.Output == "" {
		return words
	}
	words += "Its output, verbatim:\n"
	for l := range strings.Lines(f.Output) {
		words += "    " + strings.TrimRight(l, "\n") + "\n"
	}
	if s.Status.Terminal() { // its files are in an archive
		words += "All of it: " + next.Logs(text.Line(s.ID), "--gate", text.Line(f.Gate)) + "\n"
	} else if f.OutputFile != "" {
		words += "All of it: " + text.Line(f.OutputFile) + "\n"
	}
	return words
}

// nextStep writes the next step: another approach after too many equal failures
// (seed 004's strategy shift), guidance and answers of people, and the command.
func nextStep(b *strings.Builder, s loop.State) {
	if shifted(s) {
		fmt.Fprintf(b, "The same failure %d times in a row. Do not refine the same approach again: say what it was, drop it, and try a different one.\n", streak(s))
		if a := failed(s); a != nil && len(a.Files) > 0 {
			fmt.Fprintf(b, "It changed: %s\n", listed(a.Files, 10))
		}
	}
	for _, g := range s.Guidance {
		fmt.Fprintf(b, "From a person: %s\n", text.Line(g))
	}
	for _, q := range s.Questions {
		if q.Answered {
			fmt.Fprintf(b, "Answered (%s): %s\n", text.Clip(q.Text, 60), text.Line(q.Answer))
		}
	}
	what := "Fix what failed, then check again"
	if s.Iteration == 0 {
		what = "Work on the task, then check"
	}
	fmt.Fprintf(b, "%s: %s\n", what, nextCheck(s))
}

func standsStill(s loop.State) string {
	switch s.Reason {
	case loop.ForHuman:
		return "It waits for a person's answer. End your turn, or check again later.\n"
	case loop.Damaged:
		return "Its record is damaged, and a person has to look at it. End your turn.\n"
	case loop.ForLoop:
		return "Its turn has not come. Check again later.\n"
	}
	return "A person paused it. End your turn.\n"
}

func exitWords(s loop.State) string {
	if !s.Status.Terminal() && s.Status != loop.Running {
		return "not yet, the gates are not satisfied"
	}
	return [...]string{"done, the gates are satisfied", "failed or aborted, stop", "keep iterating, the gates are not satisfied yet"}[CheckExit(s)]
}

// forAgent is the end of an output, whole lines, short enough for a context.
func forAgent(excerpt string) string {
	lines := strings.Split(strings.TrimRight(text.Clean(excerpt), "\n"), "\n")
	size, from := 0, len(lines)
	for from > 0 && len(lines)-from < agentLines {
		size += len(lines[from-1]) + 1
		if size > agentBytes {
			break
		}
		from--
	}
	if from == len(lines) { // one line that is longer than all that is allowed
		last := lines[len(lines)-1]
		return strings.ToValidUTF8(last[max(len(last)-agentBytes, 0):], "") + "\n"
	}
	if from > 0 {
		return "[... earlier lines left out ...]\n" + strings.Join(lines[from:], "\n") + "\n"
	}
	if len(lines) == 1 && lines[0] == "" {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// Briefing tells an agent of its loop: gate, maximum, id, command, exit codes
// (seed 000's block).
func Briefing(s loop.State, p Palette) string {
	var b strings.Builder
	gate, floor := s.MainGate()
	b.WriteString("## AGENT LOOP ACTIVE\n\n")
	if floor != nil {
		fmt.Fprintf(&b, "Quality gate: %s ≥ %s%%\n", text.Line(gate), number(floor))
	} else {
		fmt.Fprintf(&b, "Quality gate: %s\n", text.Line(gate))
	}
	for _, g := range s.Gates {
		if g.Run != "" {
			fmt.Fprintf(&b, "  %s (%s) runs: %s\n", text.Line(g.Name), g.Level, text.Clip(g.Run, 200))
		}
		if g.Scoped && len(s.Task.Scope) > 0 {
			fmt.Fprintf(&b, "  %s counts only: %s\n", text.Line(g.Name), listed(s.Task.Scope, 8))
		}
	}
	if len(s.Refuse) > 0 {
		b.WriteString("Refused although the gates pass, where\n")
		for _, c := range s.Refuse {
			fmt.Fprintf(&b, "  %s (%s)\n", c.Words(), c)
		}
	}
	if found := redgreen.Prospect(s); found != nil {
		fmt.Fprintf(&b, "%s\nIf no test of the task can fail without the work: %s\n", found[0], next.DisputeRefusal(loop.FailedProof))
	}
	fmt.Fprintf(&b, "Max iterations: %d\nLoop ID: %s\n", s.Limits.MaxIterations, s.ID)
	if t := s.Limits.Loop.Hard; t > 0 {
		fmt.Fprintf(&b, "Time: %s in all", text.Duration(t))
		if s.Limits.Stall > 0 {
			fmt.Fprintf(&b, ", %s without progress", text.Duration(s.Limits.Stall))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nAfter each implementation, in the tree you work in:\n  %s\n\n", nextCheck(s))
	b.WriteString("Exit code 2 = keep iterating\nExit code 0 = done (gate passed)\nExit code 1 = failed (report the error)\n")
	b.WriteString("Only this command decides; saying that it is done changes nothing.\n")
	return p.Out(b.String())
}
