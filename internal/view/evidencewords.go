package view

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// finding is a gate's evidence in few words, without its name: "118 passed",
// "1 of 20 failing", "71.25 % < 80 %", or the gate's own reason.
func finding(r loop.Result) string {
	switch {
	case r.Verdict == loop.Skipped:
		return "skipped" + because(r.Reason)
	case r.Verdict == loop.Error:
		return "error" + because(r.Reason)
	case r.Tests != nil && r.Verdict == loop.Passed:
		return fmt.Sprintf("%d passed", r.Tests.Run-r.Tests.Skipped)
	case r.Tests != nil && r.Tests.Failed > 0:
		return fmt.Sprintf("%d of %d failing", r.Tests.Failed, r.Tests.Run)
	case r.Value != nil && r.Verdict == loop.Passed && r.Threshold != nil:
		return measure(r)
	case r.Value != nil:
		return string(r.Verdict) + ", " + measure(r)
	case r.Verdict == loop.Passed:
		return "passed"
	}
	return "failed" + because(r.Reason)
}

func because(reason string) string {
	if reason = text.Line(reason); reason == "" {
		return ""
	}
	return ": " + reason
}

// measure is the value, and how it stands to the floor.
func measure(r loop.Result) string {
	unit := ""
	if r.Kind == loop.KindCoverage {
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

// evidence lists a round: "tests ✓ 118 passed · lint ✓ passed".
func evidence(results []loop.Result) string {
	parts := make([]string, 0, len(results))
	for _, r := range results {
		parts = append(parts, text.Line(r.Gate)+" "+Palette{}.verdict(r.Verdict)+" "+text.Clip(finding(r), 60))
	}
	return strings.Join(parts, " · ")
}

// streak is how many of the newest attempts failed alike.
func streak(s loop.State) int { return s.Repeats() }

// failed is the newest attempt that did not pass, or nil.
func failed(s loop.State) *loop.Attempt {
	for i := len(s.Attempts) - 1; i >= 0; i-- {
		if v := s.Attempts[i].Verdict; v != "" && v != loop.Passed {
			return &s.Attempts[i]
		}
	}
	return nil
}
