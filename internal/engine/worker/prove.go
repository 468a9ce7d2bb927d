package worker

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
)

// mostUndone bounds the paths that a proof lists.
const mostUndone = 50

// prove looks for something that fails without the work: it runs the gates that can
// show it on the work's commit with its product changes undone, until one of them
// names a test that is red there.
func (w *Worker) prove(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	p := loop.Proof{Commit: a.Commit}
	base, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	work, err := w.files(ctx, a.Commit)
	if err != nil {
		return nil, err
	}
	content := func(id string) ([]byte, error) { return w.blob(ctx, id) }
	undo, err := proof.Undone(base, work, content)
	if err != nil {
		return nil, fmt.Errorf("find the product changes of %s: %w", git.Short(a.Commit), err)
	}
	gates := proof.ProvingGates(s.Gates)
	switch {
	case len(undo) == 0:
		p.Why = "it changes nothing but tests and what belongs to them"
		return loop.Proved{Proof: p}, nil
	case len(gates) == 0:
		p.Why = "no gate runs tests"
		return loop.Proved{Proof: p}, nil
	}
	for _, e := range undo[:min(len(undo), mostUndone)] {
		p.Undone = append(p.Undone, e.Path)
	}
	p.UndoneCount = len(undo)
	if p.Variant, err = w.Repo.Variant(ctx, a.Commit, gitEdits(undo)); err != nil {
		return nil, fmt.Errorf("undo the product changes of %s: %w", git.Short(a.Commit), err)
	}
	for _, g := range gates {
		if p.Red == loop.RedByAssertion {
			break
		}
		if err := w.proveBy(ctx, s, a, g, &p, h); err != nil {
			return nil, err
		}
	}
	if p.Red != loop.RedByBuild {
		return loop.Proved{Proof: p}, nil
	}
	edits, err := proof.Hollowed(base, work, content)
	if err != nil {
		return nil, fmt.Errorf("find the functions of %s: %w", git.Short(a.Commit), err)
	}
	if len(edits) > 0 {
		err = w.hollow(ctx, s, a, edits, &p, h)
	}
	return loop.Proved{Proof: p}, err
}

// hollow runs the gate that is red by build with the functions that the work wrote hollowed.
// Where it passes, its new tests look at nothing that the work does, and prove nothing.
func (w *Worker) hollow(ctx context.Context, s loop.State, a loop.Action, edits []proof.Edit, p *loop.Proof, h *Hooks) error {
	variant, err := w.Repo.Variant(ctx, a.Commit, gitEdits(edits))
	if err != nil {
		return fmt.Errorf("hollow the functions of %s: %w", git.Short(a.Commit), err)
	}
	at := slices.IndexFunc(s.Gates, func(g loop.Gate) bool { return g.Name == p.Gate })
	a.Gate = &s.Gates[at]
	a.Timeout = Within(a.Gate.Timeout, a.Timeout.Hard)
	r, err := w.runGate(ctx, s, evaluation{Action: a, variant: variant, name: "hollow", attempt: a.Attempt}, h)
	if err != nil {
		return err
	}
	p.Without = append(p.Without, r)
	if r.Verdict == loop.Passed {
		p.Red, p.Tests = "", nil
		p.Why = "gate " + p.Gate + " passes, too, where every function that the work wrote only fails: no test looks at what they do"
	}
	return nil
}

// proveBy runs one gate without the work, and keeps the stronger evidence.
func (w *Worker) proveBy(ctx context.Context, s loop.State, a loop.Action, g loop.Gate, p *loop.Proof, h *Hooks) error {
	with := loop.ResultOf(s.Last().Results, g.Name)
	if with == nil || with.Verdict != loop.Passed {
		return nil // an optional gate whose tool is missing
	}
	a.Gate = &g
	a.Timeout = Within(g.Timeout, a.Timeout.Hard)
	without, err := w.runGate(ctx, s, evaluation{Action: a, variant: p.Variant, name: "without", attempt: a.Attempt}, h)
	if err != nil {
		return err
	}
	p.Without = append(p.Without, without)
	got := proof.Compare(*with, without)
	if base := loop.ResultOf(s.BaseResults, g.Name); with.Repaired != "" && base != nil {
		got = got.Beyond(*base)
	}
	if got.Red.Strength() > p.Red.Strength() || p.Why == "" {
		p.Red, p.Tests, p.Why, p.Gate = got.Red, got.Tests, got.Why, g.Name
	}
	return nil
}
