package prompt

import (
	"slices"

	"ralph/internal/loop"
)

// shift names the approach that failed alike: by its files, the subjects of
// its commits and what they changed.
func shift(q quoter, in Input) *Shift {
	last := in.State.Last()
	if last == nil {
		return nil
	}
	alike := alike(in.State.Attempts, in.Attempt)
	if len(alike) == 0 {
		return nil
	}
	newestFailure := alike[len(alike)-1]
	out := &Shift{
		Times: len(alike), Gate: q.word(newestFailure.FailedGate),
		Error: q.word(newestFailure.Error), Fingerprint: q.word(newestFailure.Fingerprint),
		Output: trace(q, newestFailure),
	}
	for _, a := range newest(alike, mostHistory) {
		out.Forbidden = append(out.Forbidden, forbidden(q, a, in.Diffs))
	}
	return out
}

// alike are the newest attempts before number n that failed with one
// fingerprint. Fewer failing tests are progress, so they begin anew, as they
// do for the machine.
func alike(all []loop.Attempt, n int) []loop.Attempt {
	var over []loop.Attempt
	for _, a := range all {
		if a.N < n && a.Verdict != "" && a.Verdict != loop.Passed {
			over = append(over, a)
		}
	}
	i := len(over)
	for i > 0 && over[i-1].Fingerprint == over[len(over)-1].Fingerprint &&
		(i == len(over) || !fewer(over[i], over[i-1])) {
		i--
	}
	return over[i:]
}

func fewer(now, before loop.Attempt) bool {
	a, b := failing(now), failing(before)
	return a >= 0 && a < b
}

// failing sums the failing tests of hard gates, -1 where none were parsed.
func failing(a loop.Attempt) int {
	sum := -1
	for _, r := range a.Results {
		if r.Level != loop.Soft && r.Tests != nil {
			sum = max(sum, 0) + r.Tests.Failed
		}
	}
	return sum
}

// trace is the real error: the end of what the failed gate printed.
func trace(q quoter, a loop.Attempt) string {
	for _, r := range a.Results {
		if r.Gate == a.FailedGate {
			return quoter{q.nonce, min(q.block, 4<<10)}.evidence("the error itself", r.Excerpt)
		}
	}
	return ""
}

func forbidden(q quoter, a loop.Attempt, diffs []Diff) Forbidden {
	f := Forbidden{Attempt: a.N, Changed: a.Changed, Files: q.words(a.Files, mostPaths)}
	i := slices.IndexFunc(diffs, func(d Diff) bool { return d.Attempt == a.N })
	if i < 0 {
		return f
	}
	d := diffs[i]
	f.Subject = q.word(d.Subject)
	f.Stat = q.head("files of the failed approach", d.Stat)
	f.Patch = q.head("patch of the failed approach", d.Patch)
	return f
}
