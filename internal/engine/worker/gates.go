package worker

import (
	"context"
	"slices"

	"ralph/internal/loop"
)

// gate evaluates one gate on one commit, and what its verdict needs besides: see
// package proof.
func (w *Worker) gate(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	if s.Step == loop.StepProof { // on the base, for a verdict that would rest on it
		r, err := w.again(ctx, s, a, h)
		return loop.GateEnded{Result: r}, err
	}
	attempt, pass := a.Attempt, passOf(s)
	if a.OnBase {
		attempt, pass = 0, 0
	}
	r, err := w.evaluate(ctx, s, evaluation{Action: a, attempt: attempt, pass: pass, against: s.Base, expect: []string{s.Base}}, h)
	if err != nil {
		return nil, err
	}
	return loop.GateEnded{Result: r}, nil
}

// passOf tells the evaluations of one attempt apart: how many in a row have passed, and
// one more after reviewers allowed changes of judge files.
func passOf(s loop.State) int {
	n := 0
	if l := s.Last(); l != nil {
		n = l.Passes
	}
	if len(s.Reviewed()) > 0 {
		n++
	}
	return n
}

// evaluate returns the verdict of a gate on a commit, in ten steps. The fourth to the
// seventh turn a pass that the command alone does not earn into a failure.
//
//  1. withRetries (flaky.go) runs the command (runGate), and again where it is red.
//  2. toolGone (toolgone.go) interrupts the step where the machine lost the gate's tool.
//  3. errorBefore (errorbefore.go) notes an error that the base has, too.
//  4. testsUntouched (rewritten.go): no test was written while the gate ran.
//  5. withBaseJudges (judges.go): the gate passes with the judge files of the base, too.
//  6. ratchet (ratchet.go): no test that ran on the base is lost; skips (skipped.go) notes new
//     ones that do not run.
//  7. canary (canary.go): the runner reports tests that must fail, or a gate without tests
//     fails with other values to compare with (canarycompare.go).
//  8. covered (covered.go) notes where new tests that raise coverage see no values.
//  9. steered (steered.go) notes old tests that new ones blind.
//  10. repaired (repaired.go) notes where an earlier task of the plan broke what passes now.
//
// A gate of kind mutation (mutation.go) looks at the tests instead.
func (w *Worker) evaluate(ctx context.Context, s loop.State, e evaluation, h *Hooks) (loop.Result, error) {
	e.left = new([]loop.Evidence)
	if e.Gate.Kind == loop.KindMutation {
		r, err := w.mutation(ctx, s, e, h)
		r.Others = others(r, *e.left)
		return r, err
	}
	r, err := w.withRetries(ctx, s, e, h)
	if err == nil {
		err = w.toolGone(ctx, s, e, r, h)
	}
	errorBefore(s, e, &r)
	if err == nil && r.Verdict == loop.Passed {
		r, err = w.testsUntouched(ctx, s, e, r)
	}
	if err == nil {
		r, err = w.withBaseJudges(ctx, s, e, r, h)
	}
	if err == nil {
		err = w.ratchet(ctx, s, e, &r, h)
	}
	if err == nil {
		err = w.skips(ctx, s, e, &r)
	}
	if err != nil {
		return loop.Result{}, err
	}
	if err = w.canary(ctx, s, e, &r, h); err == nil {
		err = w.covered(ctx, s, e, &r, h)
	}
	if err == nil {
		err = w.steered(ctx, s, e, &r, h)
	}
	if err == nil {
		err = w.repaired(ctx, s, e, &r, h)
	}
	r.Others = others(r, *e.left)
	return r, err
}

// others are the files of a gate's runs that its result does not name elsewhere, each
// as its newest run left it.
func others(r loop.Result, left []loop.Evidence) []loop.Evidence {
	const most = 10
	named := map[string]bool{r.OutputFile: true}
	if r.Tests != nil {
		named[r.Tests.NamesFile] = true
	}
	if j := r.Judging; j != nil {
		named[j.OutputFile] = true
		if j.Tests != nil {
			named[j.Tests.NamesFile] = true
		}
	}
	var out []loop.Evidence
	for _, f := range slices.Backward(left) {
		if !named[f.File] && f.SHA256 != "" && len(out) < most {
			named[f.File] = true
			out = append(out, f)
		}
	}
	slices.Reverse(out)
	return out
}
