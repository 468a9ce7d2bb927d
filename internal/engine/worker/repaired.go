package worker

import (
	"context"
	"fmt"

	"ralph/internal/loop"
)

// repaired finds out whether a gate of a plan's task, which failed on the base and passes
// now, passed where the plan began: then an earlier task has broken what this work
// repairs, and that alone does not show that the task is done. The gate runs there with
// the judge files of the base, so that tests which an earlier task wrote for this one count.
func (w *Worker) repaired(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	before, start := loop.ResultOf(s.BaseResults, e.Gate.Name), planStart(s)
	if e.OnBase || e.landing || start == "" || r.Verdict != loop.Passed || r.Level == loop.Soft || e.Gate.IsReview() || before == nil || before.Verdict != loop.Failed {
		return nil
	}
	at := onCommit(e, "start", start)
	at.against = s.Base
	s.MayChange, s.Task.Scope = nil, nil
	judges, err := w.changedJudges(ctx, s, at, h)
	if err != nil {
		return fmt.Errorf("compare the judge files with those of the plan's start: %w", err)
	}
	at.against = ""
	was, err := w.runVariant(ctx, s, at, judges.Edits, h)
	if err == nil && was.Verdict == loop.Passed {
		r.Repaired = start
	}
	return err
}

// planStart is the commit on which the loop's plan began, "" where that is its base.
func planStart(s loop.State) string {
	if in := s.Task.Plan; in != nil && in.Start != s.Base {
		return in.Start
	}
	return ""
}
