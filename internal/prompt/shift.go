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
// fingerprint.
func alike(all []loop.Attempt, n int) []loop.Attempt {
	before := slices.IndexFunc(all, func(a loop.Attempt) bool { return a.N >= n })
	if before < 0 {
		before = len(all)
	}
	return loop.Streak(all[:before])
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
