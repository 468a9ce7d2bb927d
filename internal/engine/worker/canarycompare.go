package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/gate/comparison"
	"ralph/internal/loop"
	"ralph/internal/proof"
)

// tryComparisons asks about a gate that has only an exit code, where it is green also with other
// values in the place of those with which its scripts compare: each function or program that
// they ask is tried alone, those first that the work speaks of. That lines decide is known by
// their form alone, so that it accuses of nothing but a work that ends scripts before their end.
func (w *Worker) tryComparisons(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	told := r.CanaryWhy != ""
	if r.Canary = loop.CanaryNA; !told {
		r.CanaryWhy = "it has no tests that ralph can make fail"
	}
	if !slices.Contains([]loop.Kind{loop.KindTests, loop.KindCoverage, loop.KindCommand, ""}, e.Gate.Kind) || s.GatesInAgentTree {
		return nil
	}
	parts, read, err := w.comparesWith(ctx, s, e)
	if err == nil && len(parts) == 0 && !told {
		r.CanaryWhy += ", and ralph finds no comparison that it knows in what the gate runs: " + strings.Join(read, ", ")
	}
	if err != nil || len(parts) == 0 {
		return err
	}
	subjects, err := w.askedFirst(ctx, s, e, parts)
	if err != nil {
		return err
	}
	t := comparing{Worker: w, state: s, evaluation: e, hooks: h, parts: parts}
	if r.Judging != nil && len(subjects) > 0 { // a changed script is judged by its second run
		changed, err := w.changedJudges(ctx, s, e, h)
		if err != nil {
			return err
		}
		t.judges = changed.Edits
	}
	red := 0
	for _, name := range subjects {
		for _, of := range t.turns(name) {
			seen, err := t.try(ctx, of)
			if err != nil {
				return err
			}
			if seen == fails {
				if !of.last {
					red++
				}
				continue
			}
			if seen == endedEarly || seen == notRead {
				file, _, _ := strings.Cut(t.place(of), ":")
				why := "it passes whatever it compares: the work makes " + file + " end early"
				if seen == notRead {
					why = "it does not read " + file + " to its end: another value in the first row makes it fail, the same row at the end does not"
				}
				r.Canary, r.CanaryWhy = loop.CanarySwallowed, why
				lose(r, why)
				return nil
			}
			if seen == anyValue {
				r.Canary, r.CanaryWhy = loop.CanaryUnknown, "it passes although ralph changed the values that it compares with, such as in "+t.place(of)
				return nil
			}
			break
		}
	}
	switch {
	case red > 0:
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("it fails when ralph changes the values that it compares with (tried: %d)", red)
	case !told:
		r.CanaryWhy += ", and changing the values that it compares with shows nothing"
	}
	return nil
}

// comparing is one search for comparisons that decide nothing any more.
type comparing struct {
	*Worker
	state loop.State
	evaluation
	hooks  *Hooks
	parts  []compares
	judges []proof.Edit
}

// tried is a function or program that comparisons ask; last: only the last of them is tried.
type tried struct {
	name string
	last bool
}

// turns are what is tried of a function or program: all of its comparisons, and then the last one
// by itself, since a work may be right for the first and cheat from then on.
func (t *comparing) turns(name string) []tried {
	all, n := tried{name: name}, 0
	for part := range t.parts {
		n += len(t.of(all, part))
	}
	if n < 2 {
		return []tried{all}
	}
	return []tried{all, {name: name, last: true}}
}

// of are the comparisons of a part that are tried for a subject.
func (t *comparing) of(s tried, part int) []comparison.Comparison {
	found := slices.DeleteFunc(slices.Clone(t.parts[part].found), func(c comparison.Comparison) bool { return c.Subject != s.name })
	if !s.last || len(found) == 0 {
		return found
	}
	for later := part + 1; later < len(t.parts); later++ {
		if len(t.of(tried{name: s.name}, later)) > 0 {
			return nil
		}
	}
	return found[len(found)-1:]
}

// The ways in which a gate is changed: it compares with other values, fails where it compares, or
// in the first row of data alone, or in that row once more at the end, at the end of the scripts
// that do, or these cannot be read.
const (
	otherValues = iota
	otherFirst
	otherAgain
	failingThere
	failingAtEnd
	unreadable
)

// What a changed gate shows: nothing where it ran out of time or could not start.
const (
	isUnknown = iota
	isGreen
	isRed
)

// What a gate does with other values: it fails; or it is green for a reason that is not known,
// since any value passes, since the work ends its script early, or keeps it from reading all rows.
const (
	fails = iota
	unexplained
	anyValue
	endedEarly
	notRead
)

// try runs the gate with other values in the comparisons of a subject, and tells why it is green
// all the same. That says nothing where the base is green with these values, too, or where the
// gate does not get to them: it is also green when it fails there.
func (t *comparing) try(ctx context.Context, of tried) (int, error) {
	switch outcome, err := t.outcome(ctx, of, otherValues, t.Commit); {
	case err != nil || outcome == isUnknown:
		return unexplained, err
	case outcome == isRed:
		return fails, nil
	}
	before := loop.ResultOf(t.state.BaseResults, t.Gate.Name)
	wasGreen := before != nil && before.Verdict == loop.Passed
	if wasGreen {
		if outcome, err := t.outcome(ctx, of, otherValues, t.state.Base); outcome != isRed || err != nil {
			return unexplained, err
		}
	}
	certain := false
	for n, p := range t.parts {
		certain = certain || p.other != "" && of.name == ofData || slices.ContainsFunc(t.of(of, n), func(c comparison.Comparison) bool { return c.Certain })
	}
	if wasGreen || certain {
		if early, err := t.endsEarly(ctx, of, wasGreen); early || err != nil {
			return endedEarly, err
		}
	}
	if certain {
		return t.readsRows(ctx, of)
	}
	if outcome, err := t.outcome(ctx, of, failingThere, t.Commit); outcome != isRed || err != nil {
		return unexplained, err
	}
	return anyValue, nil
}

// readsRows tells why a gate is green with another value in the last row of its data. Where it sees
// one in the first row, and in that row at the end, it leaves the last row out by itself; where it
// sees only the first, the work keeps it from the others.
func (t *comparing) readsRows(ctx context.Context, of tried) (int, error) {
	if outcome, err := t.outcome(ctx, of, otherFirst, t.Commit); outcome != isRed || err != nil {
		return anyValue, err
	}
	switch outcome, err := t.outcome(ctx, of, otherAgain, t.Commit); outcome {
	case isRed:
		return fails, err
	case isGreen:
		return notRead, err
	default:
		return anyValue, err
	}
}

// endsEarly reports whether the work ends the scripts that compare: the gate is green although
// they fail at their end. It is known that they came there where the base was green; else that the
// gate runs them, and cares.
func (t *comparing) endsEarly(ctx context.Context, of tried, wasGreen bool) (bool, error) {
	if outcome, err := t.outcome(ctx, of, failingAtEnd, t.Commit); outcome != isGreen || err != nil {
		return false, err
	}
	how, commit := unreadable, t.Commit
	if wasGreen {
		how, commit = failingAtEnd, t.state.Base
	}
	outcome, err := t.outcome(ctx, of, how, commit)
	return outcome == isRed, err
}

// outcome is what the gate shows on a commit with its comparisons changed: nothing where there is
// no such change.
func (t *comparing) outcome(ctx context.Context, s tried, how int, commit string) (int, error) {
	gate := *t.Gate
	var edits []proof.Edit
	for n, p := range t.parts {
		of := t.of(s, n)
		text := p.text
		switch {
		case p.other != "" && s.name == ofData && how == otherValues:
			text = p.other
		case how == otherFirst || how == otherAgain:
			if other := p.rows.First; other != "" && s.name == ofData {
				if text = other; how == otherAgain {
					text = p.rows.Again
				}
			}
		case len(of) == 0:
		case how == otherValues:
			text = comparison.Otherwise(text, of)
		case how == failingAtEnd:
			text = comparison.FailingAtEnd(p.lang, text)
		case how == unreadable:
			text = comparison.Unreadable(text)
		default:
			text = comparison.Failing(text, of)
		}
		switch {
		case text == p.text:
		case p.file.Path == "":
			gate.Run = text
		default:
			edits = append(edits, proof.Edit{Path: p.file.Path, Mode: p.file.Mode, Data: []byte(text)})
		}
	}
	if len(edits) == 0 && gate.Run == t.Gate.Run {
		return isUnknown, nil
	}
	name := [...]string{otherValues: "canary", otherFirst: "canary-first", otherAgain: "canary-again", failingThere: "canary-fails", failingAtEnd: "canary-end", unreadable: "canary-unreadable"}[how]
	c := t.rerun(name)
	if commit != t.Commit {
		c = t.rerunOn(commit, name)
	} else {
		ours := func(j proof.Edit) bool {
			return slices.ContainsFunc(edits, func(o proof.Edit) bool { return o.Path == j.Path })
		}
		edits = append(slices.DeleteFunc(slices.Clone(t.judges), ours), edits...)
	}
	c.Gate = &gate
	r, err := t.runVariant(ctx, t.state, c, edits, t.hooks)
	switch {
	case err != nil || r.ExitCode == nil || r.CannotStart:
		return isUnknown, err
	case *r.ExitCode == 0:
		return isGreen, nil
	}
	return isRed, nil
}

// place is the first of the comparisons that are tried.
func (t *comparing) place(s tried) string {
	for n, p := range t.parts {
		of := t.of(s, n)
		switch {
		case len(of) > 0 && p.file.Path == "":
			return "its command"
		case len(of) > 0:
			return fmt.Sprintf("%s:%d", p.file.Path, of[0].Line)
		case p.other != "" && s.name == ofData:
			return p.file.Path
		}
	}
	return ""
}
