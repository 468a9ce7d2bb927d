package worker

import (
	"context"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/proof/ratchet"
	"ralph/internal/proof/redgreen"
	"ralph/internal/proof/syntax"
)

// covered notes where a gate that measures coverage passes by tests that look at nothing: all of
// the new ones pass, too, where the functions that they are about give other values. It runs the
// gate for that once a verdict. Where tests have no names, nothing is known.
func (w *Worker) covered(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	if !triesTests(s, e, *r) {
		return nil
	}
	if duties, err := w.dutiesOf(ctx, s.Base, *e.Gate); err != nil || !duties.Measures {
		return err
	}
	named, err := namesIn(r.Gate, r.Tests)
	if err != nil {
		return err
	}
	fresh := idsWith(named, ratchet.TestPassed)
	if before != nil {
		old, here, err := namesBefore(before.Gate, before.Tests)
		if err != nil || !here {
			return err
		}
		fresh = slices.DeleteFunc(fresh, func(id string) bool {
			return slices.ContainsFunc(old, func(t ratchet.Test) bool { return t.Name == id })
		})
	}
	if len(fresh) == 0 {
		return nil
	}
	base, work, err := w.bothFiles(ctx, s.Base, e.Commit)
	if err != nil {
		return err
	}
	edits, err := redgreen.Covered(base, work, w.content(ctx))
	if err != nil || len(edits) == 0 {
		return err
	}
	for i, e := range edits {
		edits[i].Data = syntax.Unlinted(e.Path, e.Data)
	}
	seen, err := w.runVariant(ctx, s, e.rerun("covered"), edits, h)
	if err != nil {
		return err
	}
	if named, err = namesIn(seen.Gate, seen.Tests); err != nil || named == nil {
		return err
	}
	still := named.With(ratchet.TestPassed)
	if !slices.ContainsFunc(fresh, func(id string) bool { return still[id] == 0 }) {
		r.Findings.Add(loop.ConcernWeak, "the new tests still pass when the functions that they call return other values, so no test checks these values")
	}
	return nil
}

// triesTests reports whether a passed verdict is the one in which the tests themselves are tried.
func triesTests(s loop.State, e evaluation, r loop.Result) bool {
	return !e.OnBase && !e.landing && r.Level != loop.Soft && r.Verdict == loop.Passed && e.pass+1 >= s.Limits.ConfirmPasses && !s.GatesInAgentTree && r.Tests != nil && r.Tests.NamesFile != ""
}
