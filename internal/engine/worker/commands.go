package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/review"
)

// WithBasePrograms puts the programs of the repository that the reviewers' commands run
// into their trees as they are on the base: the work does not choose who reviews it.
func (w *Worker) WithBasePrograms(ctx context.Context, r *review.Request, base string) error {
	all := r.Reviewers
	if r.Fallback != nil {
		all = append(slices.Clip(all), *r.Fallback)
	}
	var lines []string
	for _, v := range all {
		if line := commandOf(v.Agent); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	c, err := w.caseOf(ctx, loop.State{}, evaluation{Action: loop.Action{Gate: &loop.Gate{Run: strings.Join(lines, "\n")}, Commit: r.Desk.Commit}, against: base})
	if err != nil {
		return err
	}
	edits, err := c.Programs()
	if err != nil {
		return fmt.Errorf("compare the programs of reviewers with the base: %w", err)
	}
	r.Desk.Commit, err = w.Repo.Variant(ctx, r.Desk.Commit, gitEdits(edits))
	return err
}

// agentCommands are the command lines of the agents of a loop and of its reviewers.
func agentCommands(s loop.Spec) (lines []string) {
	add := func(a loop.Agent) {
		if line := commandOf(a); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	add(s.Agent)
	for _, a := range s.Agents {
		add(a)
	}
	for _, g := range s.Gates {
		if g.Review != nil {
			for _, a := range g.Review.Reviewers {
				add(a)
			}
		}
	}
	return lines
}

// commandOf is the command line that a person gave an agent; empty where its driver knows
// its program.
func commandOf(a loop.Agent) string {
	if len(a.Argv) == 0 {
		return ""
	}
	return strings.Join(slices.Concat(a.Argv, a.Args), " ")
}
