package worker

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/gate/evidence"
	"ralph/internal/git"
	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/ratchet"
)

// mostLost bounds the lost tests in a result.
const mostLost = 50

// ratchet takes the pass from a gate that no longer runs and passes the tests that
// ran on the base. Before it accuses, the gate runs on the commits of e.expect
// once more: a test whose name is missing in one of these runs is flaky, has an
// unstable name, or is not the work's loss.
func (w *Worker) ratchet(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	if e.OnBase || r.Verdict != loop.Passed || before == nil || before.Tests == nil {
		return nil
	}
	base, err := w.namesOnBase(ctx, s, e, *before.Tests, h)
	if err != nil {
		return fmt.Errorf("names of the base's tests in gate %s: %w", e.Gate.Name, err)
	}
	if len(base) == 0 {
		return w.fewer(ctx, s, e, r)
	}
	runs, err := namesOfRuns(r)
	switch {
	case err != nil:
		return err
	case runs == nil:
		lose(r, fmt.Sprintf("the runner no longer names its tests: there are %d on the base", len(base)))
		return nil
	}
	duties, err := w.dutiesOf(ctx, s.Base, *e.Gate)
	if err != nil {
		return err
	}
	if duties.Repeats { // their number tells nothing
		base = base.Once()
	}
	lost, err := w.forbidden(ctx, s, e, lostInRuns(base, runs, nil))
	if err != nil || len(lost) == 0 {
		return err
	}
	for _, commit := range e.expect {
		steady, err := w.steady(ctx, s, e, commit, h)
		if err != nil {
			return err
		}
		expected := lostInRuns(base, runs, steady)
		lost = slices.DeleteFunc(lost, func(name string) bool { return !slices.Contains(expected, name) })
		if len(lost) == 0 {
			return nil
		}
	}
	r.Lost = lost[:min(len(lost), mostLost)]
	lose(r, ratchet.LostReason(lost)+s.Remedy(loop.RemedyLost))
	return nil
}

// unreadTest stands for tests whose names cannot be read.
const unreadTest = "tests whose names cannot be read"

// fewer takes the pass from a gate that runs fewer tests than on the base, where the names of
// some cannot be read, so that nothing tells which are missing.
func (w *Worker) fewer(ctx context.Context, s loop.State, e evaluation, r *loop.Result) error {
	on := loop.ResultOf(s.BaseResults, e.Gate.Name).Tests
	if !on.NamesUnread || !s.FewerTests(*r) {
		return nil
	}
	lost, err := w.forbidden(ctx, s, e, []string{unreadTest})
	if err != nil || len(lost) == 0 {
		return err
	}
	r.Lost = lost
	lose(r, fmt.Sprintf("fewer tests ran than the %d on the base, where the names of some cannot be read", on.Run))
	return nil
}

// namesOfRuns returns the tests of the gate's run on the work and, if there was one, of
// that with the base's judges: a new test must not stand for one of the base that has its
// name. It is nil where one of these runs names no tests.
func namesOfRuns(r *loop.Result) (runs []ratchet.Names, err error) {
	tests := []*loop.Tests{r.Tests}
	if r.Judging != nil {
		tests = append(tests, r.Judging.Tests)
	}
	for _, t := range tests {
		names, err := namesIn(r.Gate, t)
		if err != nil || names == nil {
			return nil, err
		}
		runs = append(runs, names)
	}
	return runs, nil
}

// lostInRuns returns the tests of the base that one of the runs lost, sorted.
func lostInRuns(base ratchet.Names, runs []ratchet.Names, steady ratchet.Names) (lost []string) {
	for _, work := range runs {
		lost = append(lost, ratchet.Lost(base, work, steady)...)
	}
	slices.Sort(lost)
	return slices.Compact(lost)
}

// namesOnBase returns the tests of the base, also where a file of tests that does not load
// kept all of them from running.
func (w *Worker) namesOnBase(ctx context.Context, s loop.State, e evaluation, before loop.Tests, h *Hooks) (ratchet.Names, error) {
	if before.NamesFile == "" {
		return w.loadable(ctx, s, onCommit(e, "loadable", s.Base), before.Failing, h)
	}
	if _, stops := judge.ToItsEnd(e.Gate.Run); stops && before.Failed > 0 {
		if names, err := w.steady(ctx, s, e, s.Base, h); names != nil || err != nil {
			return names, err
		}
	}
	base, here, err := namesBefore(e.Gate.Name, &before)
	if err == nil && !here {
		return w.steady(ctx, s, e, s.Base, h)
	}
	return base, err
}

// toItsEnd is an evaluation whose runner does not stop at a first failure.
func toItsEnd(e evaluation) evaluation {
	g := *e.Gate
	g.Run, _ = judge.ToItsEnd(g.Run)
	e.Gate = &g
	return e
}

// onCommit is rerunOn for a run that several commits can need: its name tells them apart.
func onCommit(e evaluation, name, commit string) evaluation {
	return e.rerunOn(commit, name+"-"+git.Short(commit))
}

// forbidden leaves out the tests that people permit the work to lose. A merge has
// no permission of its own: each side was judged with what it may.
func (w *Worker) forbidden(ctx context.Context, s loop.State, e evaluation, lost []string) ([]string, error) {
	if len(lost) == 0 || e.landing {
		return lost, nil
	}
	changes, err := w.Repo.ChangedFiles(ctx, s.Base, e.Commit)
	if err != nil {
		return nil, err
	}
	work, err := w.files(ctx, e.Commit)
	if err != nil {
		return nil, err
	}
	p := ratchet.Permission{MayChange: s.MayChange, Scope: s.Task.Scope, Reviewed: allowedByReview(s, work)}
	for _, c := range changes {
		p.Changed = append(p.Changed, c.Path)
	}
	for _, f := range work {
		p.Files = append(p.Files, f.Path)
	}
	return p.Forbidden(lost), nil
}

// steady returns the tests of one more run of the gate on a commit, to its end; nil where
// that run names none. It is kept: a commit is run once more, however often the work
// loses tests.
func (w *Worker) steady(ctx context.Context, s loop.State, e evaluation, commit string, h *Hooks) (ratchet.Names, error) {
	names, failing, err := w.namesOf(ctx, s, onCommit(toItsEnd(e), "again", commit), h)
	if names != nil || err != nil || len(failing) == 0 {
		return names, err
	}
	found, err := w.loadable(ctx, s, onCommit(e, "again-loadable", commit), failing, h)
	if len(found) == 0 {
		return nil, err
	}
	return found, err
}

// namesOf returns the tests of one more run of a gate, which are kept. Where it names
// none, these are the ones that failed.
func (w *Worker) namesOf(ctx context.Context, s loop.State, e evaluation, h *Hooks) (names ratchet.Names, failing []string, err error) {
	if data, err := kept.ReadFile(w.names(e)); err == nil {
		names, err = ratchet.DecodeNames(data)
		return names, nil, err
	}
	r, err := w.runGate(ctx, s, e, h)
	if err != nil || r.Tests == nil {
		return nil, nil, err
	}
	if names, err = namesIn(r.Gate, r.Tests); names == nil {
		return nil, r.Tests.Failing, err
	}
	return names, nil, nil
}

// lose makes a result failed for what ralph found out beside the command.
func lose(r *loop.Result, reason string) {
	r.Verdict, r.Reason = loop.Failed, reason
	r.Fingerprint = evidence.Fingerprint(evidence.Facts{Gate: r.Gate, End: "0", Lines: []string{reason}})
}
