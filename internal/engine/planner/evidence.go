package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// What the gates measured on a commit of the integration branch is kept by the
// commit: who reviews the whole plan is shown it. A proof that uses a landing's
// again has no loop that it could be read from.

func evidenceFile(dir, commit string) string {
	return filepath.Join(dir, "evidence", commit+".json")
}

// keepEvidence of a commit. Nothing is kept of what nobody measured.
func keepEvidence(dir, commit string, results []loop.Result) error {
	if len(results) == 0 || commit == "" {
		return nil
	}
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return fmt.Errorf("keep the evidence of %s: %w", short(commit), err)
	}
	file := evidenceFile(dir, commit)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("keep the evidence of %s: %w", short(commit), err)
	}
	return engine.WriteDurably(file, append(text, '\n'))
}

// evidenceOf a commit; nothing where none was kept.
func evidenceOf(dir, commit string) ([]loop.Result, error) {
	text, err := os.ReadFile(evidenceFile(dir, commit))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []loop.Result
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return nil, fmt.Errorf("read the evidence of %s: %w", short(commit), err)
	}
	return out, nil
}

func (r *run) keepLanding(ctx context.Context, t plan.TaskState, got engine.Integrated) error {
	results, err := r.landedOn(ctx, t, got)
	if err != nil {
		return err
	}
	return keepEvidence(r.lease.Dir(), got.Commit, results)
}

// landedOn are the results that let a task land: of the merge where one was made,
// else of its loop, or of the plan that was run in its place.
func (r *run) landedOn(ctx context.Context, t plan.TaskState, got engine.Integrated) ([]loop.Result, error) {
	switch {
	case len(got.Results) > 0:
		return got.Results, nil
	case t.Child:
		return evidenceOf(r.Store.PlanDir(t.Loop), got.Commit)
	}
	l, err := r.Engine.Show(ctx, t.Loop)
	return newest(l.State), err
}

// newest are the results of a loop's last round of gates, which was the first
// where nothing had to be done.
func newest(s loop.State) []loop.Result {
	if last := s.Last(); last != nil {
		return last.Results
	}
	return s.BaseResults
}

// measured leaves out what other reviewers, or people, said: that is none of a
// reviewer's business.
func measured(all []loop.Result) (out []loop.Result) {
	for _, r := range all {
		if r.Kind != loop.KindReview && r.Kind != loop.KindHuman {
			out = append(out, r)
		}
	}
	return out
}
