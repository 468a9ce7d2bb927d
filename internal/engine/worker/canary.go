package worker

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/gate/canary"
	"ralph/internal/loop"
	"ralph/internal/proof/ratchet"
)

// canary takes the pass from a gate whose runner does not report tests that must fail. It runs once
// a verdict, when everything else of a hard gate passed. A merge needs none: both of its sides had
// theirs. Where a gate runs no tests into which ralph can put one, what it compares with is changed.
func (w *Worker) canary(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	if e.OnBase || e.landing || r.Level == loop.Soft || r.Verdict != loop.Passed || e.pass+1 < s.Limits.ConfirmPasses {
		return nil
	}
	runner := e.Gate.Kind == loop.KindTests || e.Gate.Kind == loop.KindCoverage
	if r.Tests != nil && (runner || e.Gate.Kind == loop.KindCommand && r.Tests.NamesFile != "") {
		err := w.inTests(ctx, s, e, r, h)
		if err != nil || r.Verdict != loop.Passed || r.Canary == loop.CanaryReported || r.Canary == loop.CanaryUnknown && runner {
			return err
		}
	}
	return w.tryComparisons(ctx, s, e, r, h)
}

// inTests tries a gate that runs tests.
func (w *Worker) inTests(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	if s.GatesInAgentTree {
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "the gate runs in the agent's own tree"
		return nil
	}
	of, err := w.canaryPlaces(ctx, s.Base, e, canary.Options{})
	if err != nil || len(of) == 0 {
		return err
	}
	unseen, err := w.idle(ctx, s, e, r, h)
	if err != nil || r.Verdict != loop.Passed {
		return err
	}
	return w.tryCanary(ctx, s, e, names(of), unseen, r, h)
}

// tryCanary runs the gate on the commit with canaries in the places of the base, and
// with the project's own tests made to fail. It accuses only of what the runner of the
// base was seen to report, and that a second run with new ones does not report either.
// unseen are tests of the project that should run, unless the gate chooses others by name.
func (w *Worker) tryCanary(ctx context.Context, s loop.State, e evaluation, of, unseen []string, r *loop.Result, h *Hooks) error {
	named, err := namesIn(r.Gate, r.Tests)
	if err != nil {
		return err
	}
	passed := canary.WithParents(idsWith(named, ratchet.TestPassed))
	c := e.rerun("canary")
	work, err := w.workFiles(ctx, s.Base, e)
	if err != nil {
		return err
	}
	ran, err := w.runCanary(ctx, s, c, canary.Options{Only: of, Own: true, Work: work, Task: s.Task.Asks()}, h)
	if err != nil {
		return err
	}
	if fitted := canary.Fitted(ran.places, ran.failed); len(fitted) > 0 {
		how := " works only for the inputs of its tests: for inputs near them it fails or always returns the same value"
		if len(fitted) > 1 {
			how = " work only for the inputs of their tests: for inputs near them each fails or always returns the same value"
		}
		r.Weak = strings.TrimPrefix(r.Weak+"; "+strings.Join(fitted, ", ")+how, "; ")
	}
	if loose := canary.Loose(ran.places, ran.failed); len(loose) > 0 {
		r.Findings.Add(loop.ConcernTampers, "the value that "+strings.Join(loose, ", ")+" returns equals any other value")
	}
	if broken := canary.Broken(ran.places, ran.failed); len(broken) > 0 {
		r.Findings.Add(loop.ConcernUndone, "examples from the task fail: "+strings.Join(broken, ", "))
	}
	ran.expect(passed)
	if len(ran.places) == 0 {
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "no test file of the base is left"
		return nil
	}
	var own []string // of the project's tests, where the gate runs no other
	if !ran.sound() {
		p, err := w.provedPlaces(ctx, s, e, h)
		if err != nil {
			return err
		}
		only := p.Places
		if len(only) == 0 {
			if own = p.left(passed); len(own) == 0 {
				return w.tryNewTests(ctx, s, c, passed, p.Why, r, h)
			}
			only = of
		}
		if ran.only(p); !ran.sound() {
			if ran, err = w.runCanary(ctx, s, c, canary.Options{Only: only, Own: len(p.Tests) > 0}, h); err != nil {
				return err
			}
			ran.expect(passed)
			ran.only(p)
		}
	}
	if ran.sound() && len(ran.places) > 0 {
		if err := w.tryLater(ctx, s, c, of, passed, *r, &ran, h); err != nil {
			return err
		}
	}
	if ran.sound() && len(ran.places) > 0 && steersTests(s.Last()) {
		if ran.swallowed, err = w.swallowedBeside(ctx, s, c, h); err != nil {
			return err
		}
	}
	switch {
	case len(ran.places) == 0 && len(own) == 0:
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, "no test file is left in which the base reports a failing test that ralph adds"
	case ran.sound() && len(own) > 0:
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("tests of the project that ralph made fail were reported (tests: %d); the gate runs no others", len(own))
	case ran.sound() && len(unseen) > 0:
		r.Canary, r.CanaryWhy = loop.CanaryUnknown, fmt.Sprintf("tests that did not load before the work and did not run with it: %d, such as %s", len(unseen), unseen[0])
	case ran.sound():
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("failing tests that ralph added were reported in %d of %d places", len(ran.places), len(of))
	default:
		var reason string
		r.Canary = loop.CanarySwallowed
		r.CanaryWhy, reason = ran.accusation()
		lose(r, reason)
	}
	return nil
}

// workFiles are the files that the work added or changed where the gate runs.
func (w *Worker) workFiles(ctx context.Context, base string, e evaluation) (out []string, err error) {
	before, err := w.filesOf(ctx, base, e)
	if err != nil {
		return nil, err
	}
	after, err := w.filesOf(ctx, e.Commit, e)
	for f, id := range after {
		if before[f] != id {
			out = append(out, f)
		}
	}
	return out, err
}

// tryNewTests runs the gate with canaries in the work's new tests, where those of the base
// prove nothing: a gate may name a file that only the work has. It accuses of nothing,
// since no run of the base can tell what is usual.
func (w *Worker) tryNewTests(ctx context.Context, s loop.State, c evaluation, passed []string, why string, r *loop.Result, h *Hooks) error {
	r.Canary, r.CanaryWhy = loop.CanaryUnknown, why
	old, err := w.filesOf(ctx, s.Base, c)
	if err != nil {
		return err
	}
	all, err := w.canaryPlaces(ctx, c.Commit, c, canary.Options{})
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(names(all), func(at string) bool {
		for f := range old {
			if f == at || path.Dir(f) == at {
				return true
			}
		}
		return false
	})
	switch {
	case steersTests(s.Last()):
		return nil
	case len(fresh) == 0:
		return w.tryNewNames(ctx, s, c, names(all), passed, r, h)
	}
	ran, err := w.runCanary(ctx, s, c, canary.Options{Only: fresh, Own: true}, h)
	if err != nil {
		return err
	}
	if ran.expect(passed); ran.sound() && len(ran.places) > 0 {
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("failing tests that ralph added to the work's new tests were reported (places: %d)", len(ran.places))
	}
	return nil
}

// tryNewNames makes the work's own new tests fail, in places that the base has too: a gate
// may choose one by its name.
func (w *Worker) tryNewNames(ctx context.Context, s loop.State, c evaluation, in, passed []string, r *loop.Result, h *Hooks) error {
	before, err := w.canaryPlaces(ctx, s.Base, c, canary.Options{Own: true})
	if err != nil {
		return err
	}
	had := canary.Tests(before, passed)
	ran, err := w.runCanary(ctx, s, c, canary.Options{Only: in, Own: true}, h)
	if err != nil || ran.green {
		return err
	}
	fresh := slices.DeleteFunc(canary.Tests(ran.places, passed), func(id string) bool { return slices.Contains(had, id) })
	if len(fresh) > 0 && !slices.ContainsFunc(fresh, func(id string) bool { return !slices.Contains(ran.failed, id) }) {
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("new tests of the work that ralph made fail were reported (tests: %d); the gate runs no others", len(fresh))
	}
	return nil
}
