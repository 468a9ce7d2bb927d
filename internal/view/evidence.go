package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// gateRows is each gate with its newest result in one line.
func (l Loop) gateRows(b *strings.Builder, p Palette) {
	for _, g := range l.Spec.Gates {
		r := resultOf(l.Results, g.Name)
		if r == nil {
			fmt.Fprintf(b, "  · %s not run\n", text.Pad(text.Clip(g.Name, 14), 14))
			continue
		}
		fmt.Fprintf(b, "  %s %s %s\n", p.verdict(r.Verdict), text.Pad(text.Clip(g.Name, 14), 14), text.Clip(rowWords(*r, l.Round), p.width()-19))
	}
}

func rowWords(r loop.Result, attempt int) string {
	where := "on the base"
	if attempt > 0 {
		where = fmt.Sprintf("attempt %d", attempt)
	}
	words := finding(r) + " · " + where
	if r.Level == loop.Soft {
		words += " · soft"
	}
	if r.Flaky != "" && r.Verdict == loop.Passed {
		words += " · flaky, in quarantine"
	}
	return words + " · " + text.Duration(r.Duration)
}

// Evidence is everything ralph recorded about the gates, newest round last:
// enough to run each check again by hand.
func (l Loop) Evidence(now time.Time, p Palette) string {
	var b strings.Builder
	if len(l.Base) > 0 {
		fmt.Fprintf(&b, "%s  %s\n", p.bold("BASE"), short(l.Spec.Base))
		for _, r := range l.Base {
			l.proof(&b, r, now, p)
		}
	}
	for _, a := range l.Attempts {
		if len(a.Results) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s  %s\n", p.bold(fmt.Sprintf("ATTEMPT %d", a.N)), short(a.Commit))
		for _, r := range a.Results {
			l.proof(&b, r, now, p)
		}
		l.redGreen(&b, a.Proof, p)
		for _, c := range a.Refused {
			fmt.Fprintf(&b, "  %s %s %s\n", p.verdict(loop.Failed), text.Pad(string(c.Code), 14), text.SpacedLine(c.What))
		}
	}
	if b.Len() == 0 {
		b.WriteString("No gate has been run yet.\n")
	}
	return p.Out(strings.TrimPrefix(b.String(), "\n"))
}

func (l Loop) proof(b *strings.Builder, r loop.Result, now time.Time, p Palette) {
	fmt.Fprintf(b, "  %s %s  %s\n", p.verdict(r.Verdict), p.bold(text.Line(r.Gate)), text.Line(finding(r)))
	fact := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "    %-9s %s\n", name, value)
		}
	}
	g := l.gate(r.Gate)
	fact("command", text.Indent(g.Run, 14))
	if g.Hidden {
		fact("hidden", "agents hear only whether it passed")
		fact("files", text.Line(strings.TrimSuffix(strings.TrimPrefix(g.FilesRef+" of "+g.Files, " of ")+"; "+r.HiddenFiles, "; ")))
	}
	fact("asked", text.Line(g.Asks()))
	fact("ended", howEnded(r))
	fact("judged", judged(r))
	fact("took", took(r, now))
	if r.Tests != nil {
		fact("failing", listed(r.Tests.Failing, 10))
		fact("tests", l.evidence(r.Tests.NamesFile))
	}
	fact("weak", text.Line(r.Weak))
	fact("flaky", text.Line(r.Flaky))
	fact("rewritten", listed(r.Rewritten, 10))
	fact("lost", listed(r.Lost, 10))
	fact("ratchet", l.ratchetOf(r))
	fact("canary", canaryOf(r))
	fact("sandbox", text.Line(string(r.Sandbox)))
	fact("room", text.Line(string(r.Room)))
	fact("restored", listed(r.Restored, 10))
	l.baseJudges(fact, r)
	fact("permitted", listed(r.Permitted, 10))
	fact("hash", text.Line(r.Fingerprint))
	fact("output", l.evidence(r.OutputFile))
	fact("sha256", text.Line(r.OutputSHA256))
	if r.Verdict != loop.Passed || g.Kind == loop.KindReview {
		verbatim(b, r.Excerpt)
	}
}

// file is where a file of an attempt is now. After the end it is an entry of an archive.
func (l Loop) file(path string) string {
	if i := strings.LastIndex(path, "/attempts/"); l.EvidenceFile != "" && i >= 0 {
		path = l.EvidenceFile + ": " + path[i+1:]
	}
	return text.Line(path)
}

// evidence is a file that was recorded with its digest.
func (l Loop) evidence(path string) string {
	if path != "" && slices.ContainsFunc(l.Changed, func(changed string) bool { return strings.HasSuffix(path, "/"+changed) }) {
		return l.file(path) + " (missing or changed since it was recorded)"
	}
	return l.file(path)
}

// baseJudges is the second evaluation, with the judge files as on the base.
func (l Loop) baseJudges(fact func(name, value string), r loop.Result) {
	j := r.Judging
	if j == nil {
		return
	}
	aside := listed(j.SetAside, 10)
	if more := j.Changed - len(j.SetAside); more > 0 {
		aside += fmt.Sprintf(" and %d more", more)
	}
	fact("set aside", aside)
	fact("new tests", listed(j.NewTests, 10))
	how := string(j.Verdict)
	if j.Broken {
		how += ", it does not build"
	}
	fact("as base", how+because(j.Reason))
	if j.Tests != nil {
		fact("failing", listed(j.Tests.Failing, 10))
	}
	fact("output", l.evidence(j.OutputFile))
	fact("sha256", text.Line(j.OutputSHA256))
}

func took(r loop.Result, now time.Time) string {
	if r.StartedAt.IsZero() {
		return text.Duration(r.Duration)
	}
	return text.Duration(r.Duration) + ", from " + text.Clock(r.StartedAt, now)
}

func howEnded(r loop.Result) string {
	switch {
	case r.CannotStart:
		return "could not be started"
	case r.TimedOut:
		return "stopped at its deadline"
	case r.ExitCode != nil:
		return fmt.Sprintf("exit code %d", *r.ExitCode)
	case r.Signal != "":
		return "by signal " + text.Line(r.Signal)
	}
	return ""
}

// judged describes what the result is about, and how certain it is.
func judged(r loop.Result) string {
	what := "commit " + text.Line(r.Commit)
	if r.Commit == "" && r.Tree == "" {
		return "not recorded on which files"
	}
	if r.Commit == "" {
		what = "files " + text.Line(r.Tree)
	}
	if r.Where == "agent" {
		what += ", in the agent's own tree"
	}
	if !r.Clean {
		what += ", beside other files"
	}
	return what
}

// finding is a gate's evidence in few words, without its name: "118 passed",
// "1 of 20 failing", "71.25 % < 80 %", or the gate's own reason.
func finding(r loop.Result) string {
	switch {
	case r.Verdict == loop.Skipped:
		return "skipped" + because(r.Reason)
	case r.Verdict == loop.Error:
		return "error" + because(r.Reason)
	case r.Tests != nil && r.Value != nil && r.Verdict == loop.Passed:
		return measure(r) + " (" + passedTests(*r.Tests) + ")"
	case r.Tests != nil && r.Verdict == loop.Passed:
		return passedTests(*r.Tests)
	case r.Tests != nil && r.Tests.Failed > 0 && r.Tests.Run.Known():
		return fmt.Sprintf("%d of %d failing", r.Tests.Failed, r.Tests.Run)
	case r.Value != nil && r.Verdict == loop.Passed && r.Threshold != nil:
		return measure(r)
	case r.Value != nil && r.Verdict == loop.Failed && reached(r): // something else failed
	case r.Value != nil:
		return string(r.Verdict) + ", " + measure(r)
	case r.Verdict == loop.Passed && r.Kind == loop.KindMutation: // it measured nothing
		return "passed" + because(r.Reason)
	case r.Verdict == loop.Passed:
		return "passed"
	}
	return "failed" + because(r.Reason)
}

// reached reports whether the value of a gate is at least its threshold.
func reached(r loop.Result) bool {
	return r.Threshold != nil && finite(r.Value) != nil && *r.Value >= *r.Threshold
}

func canaryOf(r loop.Result) string {
	if r.Canary == "" {
		return ""
	}
	return string(r.Canary) + because(r.CanaryWhy)
}

func passedTests(t loop.Tests) string {
	if !t.Run.Known() {
		return "passed, number of tests unknown"
	}
	return fmt.Sprintf("%d passed", t.Run)
}

func because(reason string) string {
	if reason = text.SpacedLine(reason); reason == "" {
		return ""
	}
	return ": " + reason
}

// measure is the value, and how it stands to the floor.
func measure(r loop.Result) string {
	unit := ""
	if r.Kind == loop.KindCoverage || r.Kind == loop.KindMutation {
		unit = " %"
	}
	s := number(r.Value) + unit
	if r.CountedFiles > 0 {
		s += " of " + text.Plural(r.CountedFiles, "file") + " in the scope"
	}
	if r.Threshold == nil || finite(r.Value) == nil {
		return s
	}
	sign := "≥"
	if *r.Value < *r.Threshold {
		sign = "<"
	}
	return fmt.Sprintf("%s %s %s%s", s, sign, number(r.Threshold), unit)
}

// shown is the newest round, and how the work was proved.
func (l Loop) shown() string {
	if l.Proof == "" {
		return evidence(l.Results)
	}
	return evidence(l.Results) + " · " + l.Proof
}

// evidence lists a round: "tests ✓ 118 passed · lint ✓ passed".
func evidence(results []loop.Result) string {
	parts := make([]string, 0, len(results))
	for _, r := range results {
		parts = append(parts, text.Line(r.Gate)+" "+Palette{}.verdict(r.Verdict)+" "+text.Clip(finding(r), 60))
	}
	return strings.Join(parts, " · ")
}
