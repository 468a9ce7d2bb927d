package worker

import (
	"context"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/ratchet"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// steered notes old tests that no longer see the product since new ones put something in its
// place: where its functions return nothing, they pass with the new tests and fail without them. It
// runs the gate twice for that, once a verdict, where new tests have code that may do so.
func (w *Worker) steered(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	if !triesTests(s, e, *r) || r.Judging == nil || r.Judging.Tests == nil || r.Judging.Tests.NamesFile == "" {
		return nil
	}
	base, work, err := w.bothFiles(ctx, s.Base, e.Commit)
	if err != nil {
		return err
	}
	content := w.content(ctx)
	if may, err := redgreen.MaySteer(base, work, content); err != nil || !may {
		return err
	}
	emptied, err := redgreen.Emptied(base, work, content)
	if err != nil || len(emptied) == 0 {
		return err
	}
	judges, err := w.changedJudges(ctx, s, e, h)
	if err != nil {
		return err
	}
	without := slices.Clone(judges.Edits)
	for _, edit := range emptied {
		if slices.ContainsFunc(without, func(j proof.Edit) bool { return j.Path == edit.Path }) {
			return nil // a source of which the base's tests are restored
		}
		without = append(without, edit)
	}
	old, err := namesIn(r.Gate, r.Judging.Tests)
	if err != nil {
		return err
	}
	lost := idsWith(old, ratchet.TestPassed)
	for _, c := range []struct {
		name  string
		edits []proof.Edit
		as    ratchet.Outcome
	}{{"steered", emptied, ratchet.TestPassed}, {"unsteered", without, ratchet.TestFailed}} {
		gate := *e.Gate
		gate.Timeout = Within(gate.Timeout, 3*r.Duration+slack)
		of := e.rerun(c.name)
		of.Gate = &gate
		seen, err := w.runVariant(ctx, s, of, c.edits, h)
		if err != nil {
			return err
		}
		names, err := namesIn(seen.Gate, seen.Tests)
		if err != nil || names == nil {
			return err
		}
		are := names.With(c.as)
		if lost = slices.DeleteFunc(lost, func(id string) bool { return are[id] == 0 }); len(lost) == 0 {
			return nil
		}
	}
	r.Findings.Add(loop.ConcernTampers, "the new tests make "+text.Few(lost, 3)+" pass even where the product returns nothing")
	return nil
}
