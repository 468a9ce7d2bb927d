package learn

import (
	"fmt"

	"ralph/internal/loop"
)

// record is a loop as learning sees it: rounds of gates, and the failures that
// run through them.
type record struct {
	state loop.Whole
	files Files
	// judges are the judge files that the loop changed.
	judges   []string
	rounds   []round
	failures []failure
}

// round is one evaluation of the gates; the attempt is nil for the base.
type round struct {
	n       int
	attempt *loop.Attempt
	results []loop.Result
}

// failure is one way in which one gate failed.
type failure struct {
	gate        string
	kind        loop.Kind
	fingerprint string
	// first and last are the numbers of rounds, times how many had it.
	first, last, times int
	// result is the newest, lines its text.
	result loop.Result
	lines  []string
	// fix returns the attempts from the last one with the failure to the first
	// in which it is truly gone, not only hidden by another failure. One of
	// them changed something, or the failure disappeared by itself.
	fix []loop.Attempt
}

func history(s loop.Whole, files Files) record {
	h := record{state: s, files: files, judges: judgesOf(s.Attempts)}
	if len(s.BaseResults) > 0 {
		h.rounds = append(h.rounds, round{results: s.BaseResults})
	}
	for i := range s.Attempts {
		if a := &s.Attempts[i]; a.Verdict != "" {
			h.rounds = append(h.rounds, round{a.N, a, a.Results})
		}
	}
	at := map[[2]string]int{}
	for i, r := range h.rounds {
		for _, result := range r.results {
			if result.Hidden || result.Fingerprint == "" || result.Verdict == loop.Passed {
				continue
			}
			key := [2]string{result.Gate, result.Fingerprint}
			if _, known := at[key]; !known {
				at[key] = len(h.failures)
				h.failures = append(h.failures, failure{gate: result.Gate, kind: result.Kind, fingerprint: result.Fingerprint, first: i})
			}
			f := &h.failures[at[key]]
			f.last, f.result = i, result
			f.times++
		}
	}
	for i := range h.failures {
		h.end(&h.failures[i])
	}
	return h
}

// end finds the message of a failure, and the change that ended it.
func (h record) end(f *failure) {
	last := h.rounds[f.last]
	output := f.result.Excerpt
	if output == "" {
		output = h.files.output(last.n, f.gate)
	}
	f.lines = errorLines(output)
	f.fix = h.fix(*f)
	f.first, f.last = h.rounds[f.first].n, last.n
}

// mostFix is the largest number of attempts between a failure and its end:
// beyond that the fix is unknown.
const mostFix = 3

// fix are the attempts from the last one that had the failure up to the first in
// which it is truly gone, and not only covered by another failure. One of them
// changed something, or it went by itself.
func (h record) fix(f failure) []loop.Attempt {
	var out []loop.Attempt
	changed := false
	for _, r := range h.rounds[f.last+1 : min(len(h.rounds), f.last+1+mostFix)] {
		out = append(out, *r.attempt)
		changed = changed || r.attempt.Changed
		if now := resultOf(r.results, f.gate); now != nil && gone(f.result, *now) {
			if !changed {
				return nil
			}
			return out
		}
	}
	return nil
}

// gone: the gate passed, or fewer tests failed, or tests ran where none could.
func gone(before, now loop.Result) bool {
	if now.Verdict == loop.Passed {
		return true
	}
	if now.Tests == nil || now.Tests.Run <= 0 {
		return false
	}
	return before.Tests == nil || before.Tests.Run <= 0 || now.Tests.Failed < before.Tests.Failed
}

func resultOf(results []loop.Result, gate string) *loop.Result {
	for i := range results {
		if results[i].Gate == gate {
			return &results[i]
		}
	}
	return nil
}

// antis are the approaches that were given up, and the changes that made things
// worse.
func (h record) antis() []Pattern { return append(h.givenUp(), h.fallen()...) }

// givenUp: attempts that failed alike, until the loop shifted its strategy, and
// the last such attempts of a loop that ended stuck.
func (h record) givenUp() []Pattern {
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
func (h record) abandoned(alike []loop.Attempt) []Pattern {
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
	if !h.changed(&p, files, h.files.patch(last.N)) {
		return nil
	}
	p.Summary = name(fmt.Sprintf("%s failed the same way after %s changing %s", p.Gate, times(p.Times, "attempt"), some(p.Files)), mostSummary)
	return []Pattern{p}
}

// failureOf is the failure that an attempt is remembered for.
func (h record) failureOf(a loop.Attempt) *failure {
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
func (h record) fallen() []Pattern {
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
			if !h.changed(&p, now.attempt.Files, h.files.patch(now.n)) {
				continue
			}
			p.Summary = name(fmt.Sprintf("%s fell from %.4g to %.4g with a change to %s", p.Gate, *old.Value, *r.Value, some(p.Files)), mostSummary)
			out = append(out, p)
		}
	}
	return out
}
