package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/redgreen"
	"ralph/internal/proof/syntax"
	"ralph/internal/text"
)

// mostUndone bounds the paths that a proof lists.
const mostUndone = 50

// prove looks for something that fails without the work: it runs the gates that can
// show it on the work's commit with its product changes undone, until one of them
// names a test that is red there.
func (w *Worker) prove(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	r := proving{Worker: w, state: s, action: a, hooks: h, found: loop.Proof{Commit: a.Commit}, alone: map[string][]string{}, gates: redgreen.ProvingGates(s.Gates)}
	var err error
	if r.base, r.work, err = w.bothFiles(ctx, s.Base, a.Commit); err != nil {
		return nil, err
	}
	undo := redgreen.Undone(r.base, r.work)
	switch {
	case slices.Equal(r.base, r.work):
		r.found.Why = loop.NothingChanged
		return loop.Proved{Proof: r.found}, nil
	case len(undo) == 0:
		r.found.Why = loop.OnlyTests
		if rose := risen(s); rose != "" {
			r.found.Why, r.found.Measured = "it changes nothing but tests; "+rose, true
		}
		return loop.Proved{Proof: r.found}, nil
	case len(r.gates) == 0:
		r.found.Why = "no gate runs tests"
		return loop.Proved{Proof: r.found}, nil
	}
	for _, e := range undo[:min(len(undo), mostUndone)] {
		r.found.Undone = append(r.found.Undone, e.Path)
	}
	r.found.UndoneCount = len(undo)
	err = r.without(ctx, undo)
	if err == nil && r.found.Red == "" {
		err = r.withTestsOfSources(ctx)
	}
	if err == nil && r.found.Red == "" {
		err = r.started(ctx, undo)
	}
	if err == nil && r.found.Red != "" {
		err = r.hollow(ctx)
	}
	if err != nil {
		return nil, err
	}
	if r.found.Red == "" && strings.HasSuffix(r.found.Why, redgreen.PassesWithout) {
		r.found.Why += " (undone: " + text.Few(r.found.Undone, 3) + ")"
	}
	return loop.Proved{Proof: r.found}, nil
}

// risen says which hard gate measures more coverage than on the base; "" where none does.
func risen(s loop.State) string {
	for _, r := range s.Last().Results {
		base := loop.ResultOf(s.BaseResults, r.Gate)
		if r.Kind == loop.KindCoverage && r.Level != loop.Soft && r.Verdict == loop.Passed && r.Value != nil && base != nil && base.Value != nil && *r.Value > *base.Value {
			return fmt.Sprintf("gate %s measures %.2f %%, and %.2f %% before it", r.Gate, *r.Value, *base.Value)
		}
	}
	return ""
}

// proving is one search for what fails without the work.
type proving struct {
	*Worker
	state      loop.State
	action     loop.Action
	hooks      *Hooks
	base, work []proof.File
	gates      []loop.Gate
	found      loop.Proof
	// alone are the new tests of gates by which these were proved, run alone.
	alone map[string][]string
}

// without runs the gates on the commit with these edits, which undo the work.
func (r *proving) without(ctx context.Context, undo []proof.Edit) (err error) {
	p := &r.found
	if p.Variant, err = r.Repo.Variant(ctx, r.action.Commit, gitEdits(undo)); err != nil {
		return fmt.Errorf("undo the product changes of %s: %w", git.Short(r.action.Commit), err)
	}
	p.Without = nil
	for _, g := range r.gates {
		if p.Red == loop.RedByAssertion {
			return nil
		}
		if err := r.by(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// withTestsOfSources runs the gates with the tests that the work has in sources of the product: without
// these sources they are gone as well, so that nothing failed.
func (r *proving) withTestsOfSources(ctx context.Context) error {
	undo, err := redgreen.UndoneBeside(r.base, r.work, r.content(ctx))
	if err != nil {
		return fmt.Errorf("find the tests in sources of %s: %w", git.Short(r.action.Commit), err)
	}
	if undo == nil {
		return nil
	}
	return r.without(ctx, undo)
}

// hollow runs the gate that shows the work with other values of the functions that the work
// wrote. Where it passes, its new tests pin nothing that these give. Where it is red by build
// alone, they may look at nothing at all, which proves nothing: the functions only fail then,
// or return nothing.
func (r *proving) hollow(ctx context.Context) error {
	p := &r.found
	byBuild := p.Red == loop.RedByBuild
	weak, known, err := r.passesHollow(ctx, "other", redgreen.Other)
	if err != nil || known && !weak {
		return err
	}
	for _, c := range []struct {
		name       string
		how        redgreen.Way
		does, look string
	}{{"hollow", redgreen.Failing, "only fails", "do"}, {"idle", redgreen.Idle, "returns nothing", "return"}, {"inert", redgreen.Inert, "does nothing", "do"}} {
		if !byBuild {
			break
		}
		empty, _, err := r.passesHollow(ctx, c.name, c.how)
		if err != nil {
			return err
		}
		if empty {
			p.Red, p.Tests = "", nil
			p.Why = "gate " + p.Gate + " still passes when every function that the work wrote " + c.does + ": no test checks what they " + c.look
			return nil
		}
	}
	if !weak {
		return nil
	}
	if weak, err = r.runsTests(ctx); weak {
		p.Weak = "gate " + p.Gate + " still passes when the functions that the work wrote return other values, so no test checks these values"
	}
	return err
}

// passesHollow reports whether the gate passes on the work with its functions hollowed so;
// known: they could be.
func (r *proving) passesHollow(ctx context.Context, name string, how redgreen.Way) (passes, known bool, err error) {
	p := &r.found
	edits, err := redgreen.Hollowed(r.base, r.work, how, r.content(ctx))
	if err != nil {
		return false, false, fmt.Errorf("find the functions of %s: %w", git.Short(r.action.Commit), err)
	}
	if len(edits) == 0 {
		return false, false, nil
	}
	for i, e := range edits {
		edits[i].Data = syntax.Unlinted(e.Path, e.Data)
	}
	variant, err := r.Repo.Variant(ctx, r.action.Commit, gitEdits(edits))
	if err != nil {
		return false, false, fmt.Errorf("hollow the functions of %s: %w", git.Short(r.action.Commit), err)
	}
	for _, g := range r.gates {
		with := loop.ResultOf(r.state.Last().Results, g.Name)
		if with == nil || with.Verdict != loop.Passed || g.Name != p.Gate && how != redgreen.Other {
			continue
		}
		g.Timeout = Within(g.Timeout, 3*with.Duration+slack)
		if fresh := r.alone[g.Name]; len(fresh) > 0 {
			result, err := r.run(ctx, g, variant, name+"-new", fresh...)
			if err != nil || redAmong(result) {
				p.Without = append(p.Without, result)
				return false, true, err
			}
		}
		result, err := r.run(ctx, g, variant, name)
		if err != nil {
			return false, false, err
		}
		if p.Without = append(p.Without, result); result.Verdict != loop.Passed {
			return false, true, nil
		}
	}
	return true, true, nil
}

// slack is what a gate may take where functions are hollowed, which may never end, beside
// three times what it took.
const slack = 30 * time.Second

// by runs one gate without the work, and keeps the stronger evidence. Where nothing of the work
// is left, and the gate passed on the base, it passes without the work, too.
func (r *proving) by(ctx context.Context, g loop.Gate) error {
	with := loop.ResultOf(r.state.Last().Results, g.Name)
	if with == nil || with.Verdict != loop.Passed {
		return nil // an optional gate whose tool is missing
	}
	p := &r.found
	same, err := r.asOnBase(ctx)
	if err != nil {
		return err
	}
	green := slices.IndexFunc(r.onBase(g), func(b loop.Result) bool { return b.Verdict == loop.Passed })
	if same && green >= 0 {
		r.takeStronger(g, redgreen.Compare(*with, r.onBase(g)[green], nil))
		return nil
	}
	passed, err := passedIn(*with)
	if err != nil {
		return err
	}
	compare := func(without loop.Result) redgreen.Compared {
		got := redgreen.Compare(*with, without, passed)
		if base := loop.ResultOf(r.state.BaseResults, g.Name); with.Repaired != "" && base != nil {
			got = got.Beyond(*base)
		}
		return got
	}
	without, alone, err := r.withoutWork(ctx, g, *with)
	if err != nil {
		return err
	}
	p.Without = append(p.Without, without)
	got := compare(without)
	if !alone {
		got, err = r.confirm(ctx, g, got, same, compare)
	}
	if err == nil {
		r.takeStronger(g, got)
	}
	return err
}

// takeStronger keeps what shows the work best.
func (r *proving) takeStronger(g loop.Gate, got redgreen.Compared) {
	if p := &r.found; got.Red.Strength() > p.Red.Strength() || p.Why == "" {
		p.Red, p.Tests, p.Why, p.Gate = got.Red, got.Tests, got.Why, g.Name
	}
}

// run runs a gate on a variant of the commit, limited to some tests where there are any.
func (r *proving) run(ctx context.Context, g loop.Gate, variant, name string, only ...string) (loop.Result, error) {
	a := r.action
	a.Gate, a.Timeout = &g, Within(g.Timeout, a.Timeout.Hard)
	return r.runGate(ctx, r.state, evaluation{Action: a, variant: variant, name: name, attempt: a.Attempt, only: only}, r.hooks)
}
