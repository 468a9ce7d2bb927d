package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	fresh, err := passedTests(*r)
	if err != nil {
		return fmt.Errorf("names of the tests in gate %s: %w", e.Gate.Name, err)
	}
	if before != nil && before.Tests != nil && before.Tests.NamesFile != "" {
		old, err := readNames(before.Tests)
		if errors.Is(err, os.ErrNotExist) { // on another machine
			return nil
		}
		if err != nil {
			return fmt.Errorf("names of the tests in gate %s on the base: %w", e.Gate.Name, err)
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
	edits, err := redgreen.Covered(base, work, func(id string) ([]byte, error) { return w.blob(ctx, id) })
	if err != nil || len(edits) == 0 {
		return err
	}
	for i, e := range edits {
		edits[i].Data = syntax.Unlinted(e.Path, e.Data)
	}
	seen, err := w.runVariant(ctx, s, evaluation{Action: e.Action, name: "covered", attempt: e.attempt, pass: e.pass, left: e.left}, edits, h)
	if err != nil || seen.Tests == nil || seen.Tests.NamesFile == "" {
		return err
	}
	still, err := passedTests(seen)
	if err != nil {
		return fmt.Errorf("names of the tests in gate %s with other values: %w", e.Gate.Name, err)
	}
	if !slices.ContainsFunc(fresh, func(id string) bool { return !slices.Contains(still, id) }) {
		r.Findings.Add(loop.ConcernWeak, "the new tests still pass where the functions that they call return other values: no test pins them")
	}
	return nil
}

// triesTests reports whether a passed verdict is the one in which the tests themselves are tried.
func triesTests(s loop.State, e evaluation, r loop.Result) bool {
	return !e.OnBase && !e.landing && r.Level != loop.Soft && r.Verdict == loop.Passed && e.pass+1 >= s.Limits.ConfirmPasses && !s.GatesInAgentTree && r.Tests != nil && r.Tests.NamesFile != ""
}
