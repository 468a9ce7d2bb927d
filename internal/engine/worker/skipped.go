package worker

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/ratchet"
	"ralph/internal/proof/suspect"
	"ralph/internal/text"
)

// skips notes the tests that the work adds and that its gate skips: they are no reason to
// believe it, and look as if they were one. A skipped file has no names, and is counted. Of a base
// that did not pass it is not known which tests it has. A test of another system has a reason.
func (w *Worker) skips(ctx context.Context, s loop.State, e evaluation, r *loop.Result) error {
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	if e.OnBase || e.landing || r.Verdict != loop.Passed || r.Level == loop.Soft || r.Tests == nil || r.Tests.Skipped == 0 || before == nil || before.Tests == nil || before.Verdict != loop.Passed {
		return nil
	}
	var base, work ratchet.Names
	for _, of := range []struct {
		tests *loop.Tests
		to    *ratchet.Names
	}{{before.Tests, &base}, {r.Tests, &work}} {
		names, here, err := namesBefore(e.Gate.Name, of.tests)
		if err != nil || !here {
			return err
		}
		*of.to = names
	}
	unnamed := func(t *loop.Tests, names ratchet.Names) int { return t.Skipped - len(names.With(ratchet.TestSkipped)) }
	fresh, more := work.NewlySkipped(base), unnamed(r.Tests, work)-unnamed(before.Tests, base)
	if len(fresh) > 0 || more > 0 {
		elsewhere, err := w.skipsElsewhere(ctx, s, e.Commit)
		if err != nil || len(fresh)+max(more, 0) <= elsewhere {
			return err
		}
	}
	switch {
	case len(fresh) > 0:
		r.Findings.Add(loop.ConcernWeak, "tests that the work adds are skipped: "+text.Few(fresh, 3))
	case more > 0:
		r.Findings.Add(loop.ConcernWeak, "it skips "+text.Plural(more, "test")+" more than on the base")
	}
	return nil
}

// skipsElsewhere is how many new tests of a commit are skipped for the system that they run on.
func (w *Worker) skipsElsewhere(ctx context.Context, s loop.State, commit string) (int, error) {
	base, work, err := w.bothFiles(ctx, s.Base, commit)
	if err != nil {
		return 0, err
	}
	return suspect.SkippedElsewhere(proof.Index(base), proof.Index(work), w.content(ctx))
}
