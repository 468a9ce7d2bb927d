package worker

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/proof/ratchet"
	"ralph/internal/proof/redgreen"
)

// A flaky test that passed on the base may be red without the work by luck. What was green there
// is evidence only where it is red in each of mostReds runs without the work, or more where the
// gate has more retries.
const mostReds = 3

// onBase are the results of a gate on the base, of which a verdict may have asked for a second.
func (r *proving) onBase(g loop.Gate) (all []loop.Result) {
	for _, of := range [][]loop.Result{r.state.BaseResults, r.state.BaseAgain} {
		if b := loop.ResultOf(of, g.Name); b != nil && b.Where == GateTree {
			all = append(all, *b)
		}
	}
	return all
}

// asOnBase reports whether the variant has the files of the base.
func (r *proving) asOnBase(ctx context.Context) (bool, error) {
	variant, err := r.Repo.TreeOf(ctx, r.found.Variant)
	if err != nil {
		return false, err
	}
	base, err := r.Repo.TreeOf(ctx, r.state.Base)
	return err == nil && variant == base, err
}

// passedIn returns the tests that passed in a run; none where they have no names.
func passedIn(of loop.Result) (map[string]int, error) {
	names, _, err := namesBefore(of.Gate, of.Tests)
	if names == nil {
		return nil, err
	}
	return names.With(ratchet.TestPassed), nil
}

// confirm leaves out what is red without the work and flaky; same: without the work the files are
// those of the base. Tests that are new need no second look, nor does what does not build.
func (r *proving) confirm(ctx context.Context, g loop.Gate, got redgreen.Compared, same bool, compare func(loop.Result) redgreen.Compared) (redgreen.Compared, error) {
	if got.Red == "" || got.Red == loop.RedByBuild && len(got.Named) == 0 {
		return got, nil
	}
	old, green, err := r.old(g, got.Named)
	switch {
	case err != nil:
		return got, err
	case len(old) < len(got.Named):
		return got.Only(slices.DeleteFunc(slices.Clone(got.Named), func(id string) bool { return slices.Contains(old, id) })), nil
	case len(old) == 0 && !green:
		return got, nil
	}
	if !same {
		if got, err = r.redAgain(ctx, g, got, compare); err != nil || got.Red != "" {
			return got, err
		}
	}
	if len(old) == 0 {
		old = []string{"gate " + g.Name}
	}
	return redgreen.Compared{Why: "without the work " + loop.RedAndGreen(old)}, nil
}

// redAgain returns what is red in each of the other runs without the work, too.
func (r *proving) redAgain(ctx context.Context, g loop.Gate, got redgreen.Compared, compare func(loop.Result) redgreen.Compared) (redgreen.Compared, error) {
	if with := loop.ResultOf(r.state.Last().Results, g.Name); len(got.Named) == 0 {
		g.Timeout = Within(g.Timeout, 3*with.Duration+slack)
	}
	for n := 2; n <= max(mostReds, 1+g.Flaky.Retries); n++ {
		without, err := r.redAlone(ctx, g, got.Named, n)
		if err != nil {
			return got, err
		}
		r.found.Without = append(r.found.Without, without)
		again := compare(without)
		red := slices.DeleteFunc(slices.Clone(got.Named), func(id string) bool { return !slices.Contains(again.Named, id) })
		if again.Red == "" || len(red) == 0 && len(got.Named) > 0 {
			return redgreen.Compared{}, nil
		}
		got = got.Only(red)
	}
	return got, nil
}

// redAlone runs the tests alone that were red without the work, and all where none of them is.
func (r *proving) redAlone(ctx context.Context, g loop.Gate, red []string, n int) (loop.Result, error) {
	name := fmt.Sprintf("without-%d", n)
	if len(red) > 0 && len(red) <= mostChosen {
		without, err := r.run(ctx, g, r.found.Variant, name+"-red", red...)
		if err != nil || without.OnlyTests == 0 || redAmong(without) && common(red, failing(&without)) {
			return without, err
		}
	}
	return r.run(ctx, g, r.found.Variant, name)
}

// old returns the tests of a gate that are not known to be new: they passed on the base, or the
// runner does not name what passes; green: the gate passed there.
func (r *proving) old(g loop.Gate, tests []string) (old []string, green bool, err error) {
	with, err := passedIn(*loop.ResultOf(r.state.Last().Results, g.Name))
	if err != nil {
		return nil, false, err
	}
	known := map[string]bool{}
	for id := range with {
		known[id] = true
	}
	for _, b := range r.onBase(g) {
		passed, err := passedIn(b)
		if err != nil {
			return nil, false, err
		}
		for id := range passed {
			known[id] = false
		}
		green = green || b.Verdict == loop.Passed
		if b.Verdict == loop.Passed && passed == nil {
			clear(known)
		}
	}
	return slices.DeleteFunc(slices.Clone(tests), func(id string) bool { return known[id] }), green, nil
}
