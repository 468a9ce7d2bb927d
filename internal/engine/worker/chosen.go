package worker

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"ralph/internal/loop"
)

// A run that only has to show again what a whole run has shown, or that something fails, need not
// run every test. So it runs first with the tests that matter alone; where that shows nothing, or
// the runner cannot be told, with all.

// mostChosen bounds the tests to which a run is limited: a command line has its limits.
const mostChosen = 100

// again runs a gate on the base once more, since a verdict would rest on what was red there. Where
// few of its tests were, they run alone, and as often as it takes for mostReds.
func (w *Worker) again(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Result, error) {
	base := loop.ResultOf(s.BaseResults, a.Gate.Name)
	red, runs := failing(base), 1
	if len(red) > 0 && base.Tests.Run.Known() && int(base.Tests.Run) >= 4*len(red) {
		runs = mostReds - 1
	}
	for n := 1; len(red) > 0 && n <= runs; n++ {
		r, err := w.retried(ctx, s, evaluation{Action: a, name: fmt.Sprintf("again-red-%d", n), only: red}, h)
		isRed := r.Verdict == loop.Failed && common(red, failing(&r))
		if err != nil || r.OnlyTests == 0 || r.Flaky != "" || isRed && n == runs || !isRed && n > 1 {
			return r, err
		}
		if !isRed { // alone it is not: it may need the others
			break
		}
		red = failing(&r)
	}
	return w.retried(ctx, s, evaluation{Action: a, name: "again"}, h)
}

// failing are the named tests that failed in a run, and packages or files that failed as a whole.
func failing(r *loop.Result) []string {
	if r == nil || r.Tests == nil {
		return nil
	}
	return r.Tests.Failing
}

func common(a, b []string) bool {
	return slices.ContainsFunc(a, func(id string) bool { return slices.Contains(b, id) })
}

// worthChoosing is how long a gate must take for its new tests to be run alone: that takes three
// short runs in place of two whole ones.
const worthChoosing = 3 * time.Second

// fresh are the new tests of the work in a gate, where a run of them alone is worth it.
func (r *proving) fresh(g loop.Gate, with loop.Result) ([]string, error) {
	passed, err := passedIn(with)
	if err != nil || with.Duration < cmp.Or(r.WorthChoosing, worthChoosing) {
		return nil, err
	}
	all := slices.Sorted(maps.Keys(passed))
	old, _, err := r.old(g, all)
	if err != nil || len(old) == 0 || len(all)-len(old) > mostChosen {
		return nil, err
	}
	return slices.DeleteFunc(all, func(id string) bool { return slices.Contains(old, id) }), nil
}

// withoutWork runs a gate without the work: first its new tests alone, which prove it where one
// fails. alone: they do. They must pass alone with the work: a test that needs others to run
// before it would fail in any case.
func (r *proving) withoutWork(ctx context.Context, g loop.Gate, with loop.Result) (without loop.Result, alone bool, err error) {
	fresh, err := r.fresh(g, with)
	if err != nil {
		return without, false, err
	}
	if len(fresh) > 0 {
		without, err = r.run(ctx, g, r.found.Variant, "without-new", fresh...)
		if err != nil || without.OnlyTests == 0 {
			return without, false, err
		}
		if redAmong(without) {
			if alone, err = r.passAlone(ctx, g, fresh, &without); err != nil || alone {
				return without, alone, err
			}
		}
	}
	without, err = r.run(ctx, g, r.found.Variant, "without")
	return without, false, err
}

// passAlone reports whether new tests pass with the work in a run of their own, which becomes
// evidence beside the one without it. No other test that runs there may fail: it would without the
// work, too.
func (r *proving) passAlone(ctx context.Context, g loop.Gate, fresh []string, without *loop.Result) (bool, error) {
	with, err := r.run(ctx, g, r.action.Commit, "with-new", fresh...)
	if err != nil {
		return false, err
	}
	passed, err := passedIn(with)
	if err != nil || with.Tests == nil || with.Tests.Failed > 0 || slices.ContainsFunc(fresh, func(id string) bool { return passed[id] == 0 }) {
		return false, err
	}
	without.Others = []loop.Evidence{{File: with.OutputFile, SHA256: with.OutputSHA256}}
	r.alone[g.Name] = fresh
	return true, nil
}

// redAmong reports whether a run that was limited to some tests has one that failed, or a package or
// a file that did.
func redAmong(r loop.Result) bool {
	return r.OnlyTests > 0 && r.Verdict == loop.Failed && !r.TimedOut && r.Tests != nil && r.Tests.Failed > 0
}
