package learn

import (
	"fmt"

	"ralph/internal/loop"
)

// antis are the approaches that were given up, and the changes that made things
// worse.
func (h tale) antis() []Pattern { return append(h.givenUp(), h.fallen()...) }

// givenUp: attempts that failed alike, until the loop shifted its strategy, and
// the last such attempts of a loop that ended stuck.
func (h tale) givenUp() []Pattern {
	var out []Pattern
	var alike []loop.Attempt
	all := h.state.Attempts
	for i, a := range all {
		switch {
		case a.Verdict != loop.Failed:
			alike = nil
			continue
		case a.Approach.Shift:
			out = append(out, h.abandoned(alike)...)
			alike = nil
		case len(loop.Streak(all[:i+1])) == 1:
			alike = nil
		}
		alike = append(alike, a)
	}
	if h.state.Reason == loop.Stuck {
		out = append(out, h.abandoned(alike)...)
	}
	return out
}

// abandoned is the approach of attempts that failed alike, if they changed
// anything.
func (h tale) abandoned(alike []loop.Attempt) []Pattern {
	var last *loop.Attempt
	var files []string
	for i := range alike {
		if a := &alike[i]; a.Changed {
			last, files = a, union(files, a.Files, mostFiles)
		}
	}
	if last == nil {
		return nil
	}
	p := h.pattern(Anti, last.N, last.EndedAt)
	if f := h.failureOf(*last); f != nil {
		p.about(*f)
	}
	if p.Fingerprint == "" {
		return nil
	}
	p.Times = len(alike)
	p.changed(files, h.files.patch(last.N))
	p.Summary = name(fmt.Sprintf("%s failed the same way after %s changing %s", p.Gate, times(p.Times, "attempt"), some(p.Files)), mostSummary)
	return []Pattern{p}
}

// failureOf is the failure that an attempt is remembered for.
func (h tale) failureOf(a loop.Attempt) *failure {
	r := resultOf(a.Results, a.FailedGate)
	if r == nil {
		return nil
	}
	for i := range h.failures {
		if f := &h.failures[i]; f.gate == r.Gate && f.fingerprint == r.Fingerprint && len(f.lines) > 0 {
			return f
		}
	}
	return nil
}

// fallen: a gate that does not pass measured less after a change than before it.
func (h tale) fallen() []Pattern {
	var out []Pattern
	for i := 1; i < len(h.rounds); i++ {
		before, now := h.rounds[i-1], h.rounds[i]
		if !now.attempt.Changed {
			continue
		}
		for _, r := range now.results {
			old := resultOf(before.results, r.Gate)
			if r.Verdict == loop.Passed || r.Value == nil || old == nil || old.Value == nil || *r.Value >= *old.Value {
				continue
			}
			p := h.pattern(Anti, now.n, now.attempt.EndedAt)
			p.Fell, p.Gate, p.GateKind, p.Fingerprint = true, name(r.Gate, mostName), r.Kind, old.Fingerprint
			p.changed(now.attempt.Files, h.files.patch(now.n))
			p.Summary = name(fmt.Sprintf("%s fell from %.4g to %.4g with a change to %s", p.Gate, *old.Value, *r.Value, some(p.Files)), mostSummary)
			out = append(out, p)
		}
	}
	return out
}
