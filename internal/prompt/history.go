package prompt

import (
	"fmt"

	"ralph/internal/loop"
)

// history is the last attempts before number n that did not pass, oldest
// first, and how many came before them.
func history(q quoter, s *loop.State, n int) ([]Past, int) {
	var over []loop.Attempt
	for _, a := range s.Attempts {
		if a.N < n && a.Verdict != "" && a.Verdict != loop.Passed {
			over = append(over, a)
		}
	}
	shown := newest(over, mostHistory)
	printed := map[string]int{}
	out := make([]Past, 0, len(shown))
	for _, a := range shown {
		out = append(out, past(q, a, printed))
	}
	return out, len(over) - len(shown)
}

func past(q quoter, a loop.Attempt, printed map[string]int) Past {
	p := Past{
		N: a.N, Approach: approach(a.Approach), Ended: ended(q, a.Agent),
		Changed: a.Changed, Files: q.words(a.Files, mostPaths),
		Gate: q.word(a.FailedGate), Error: q.word(a.Error), Fingerprint: q.word(a.Fingerprint),
		Failures: failures(q, a.Results, printed, a.N), Notes: q.words(a.Notes, mostPaths),
	}
	for _, r := range a.Results {
		if r.Verdict == loop.Passed {
			p.Passed = append(p.Passed, q.word(r.Gate))
		}
	}
	return p
}

func approach(a loop.Approach) string {
	switch {
	case a.Shift && a.Expand:
		return "another approach, with more context"
	case a.Shift:
		return "another approach"
	case a.Expand:
		return "with more context"
	}
	return ""
}

func ended(q quoter, o loop.Outcome) string {
	if o.End == loop.EndDone || o.End == "" {
		return ""
	}
	if o.Message == "" {
		return string(o.End)
	}
	return fmt.Sprintf("%s: %s", o.End, q.word(o.Message))
}

// failures are the gates that did not pass. Output that is word for word the
// same as an earlier attempt's is named instead of printed again: printed
// remembers who printed what.
func failures(q quoter, results []loop.Result, printed map[string]int, n int) []Failure {
	var out []Failure
	for _, r := range results {
		if r.Verdict == loop.Passed || r.Verdict == loop.Skipped && r.Reason == "" {
			continue
		}
		f := Failure{
			Gate: q.word(r.Gate), Level: string(r.Level), Verdict: string(r.Verdict),
			Reason: q.word(r.Reason), Measure: measure(r),
		}
		if r.Tests != nil {
			f.Failing = q.words(r.Tests.Failing, mostTests)
		}
		key := r.Gate + "\x00" + r.Excerpt
		if first, ok := printed[key]; ok && r.Excerpt != "" {
			f.Output = fmt.Sprintf("The output is word for word that of attempt %d.", first)
		} else {
			f.Output = q.evidence("output of gate "+r.Gate, r.Excerpt)
			printed[key] = n
		}
		out = append(out, f)
	}
	return out
}
