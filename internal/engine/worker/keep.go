package worker

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// keep puts the work of a loop that did not pass on a branch, with the
// diagnostics in its message (seed 004). Nothing is checked out for it, and
// without any change there is nothing to keep.
func (w *Worker) keep(ctx context.Context, s loop.State) (loop.Event, error) {
	if !s.InPlace {
		if err := w.heal(ctx, s, s.Worktree); err != nil {
			return nil, err
		}
	}
	head, err := w.Repo.HeadOf(ctx, s.Worktree)
	if err != nil {
		return nil, err
	}
	parent := head.Commit
	if s.InPlace {
		parent = s.Tip()
	}
	changed, err := w.changes(ctx, s, parent)
	if err != nil || !changed {
		return loop.Kept{}, err
	}
	commit, err := w.Repo.Snapshot(ctx, s.Worktree, parent, failureMessage(s))
	if err != nil {
		return nil, fmt.Errorf("keep the failed work: %w", err)
	}
	return w.failureRef(ctx, s, commit)
}

func (w *Worker) failureRef(ctx context.Context, s loop.State, commit string) (loop.Event, error) {
	ref, err := w.Repo.FailureRef(ctx, git.Failure{Loop: s.ID, Task: s.Task.ID, Time: s.Ending.At, Commit: commit})
	if err != nil {
		return nil, fmt.Errorf("keep the failed work on a branch: %w", err)
	}
	return loop.Kept{Ref: ref, Commit: commit}, nil
}

// changes: the tree, or the commits under it, differ from the base.
func (w *Worker) changes(ctx context.Context, s loop.State, parent string) (bool, error) {
	if parent != s.Base && !s.InPlace {
		return true, nil
	}
	now, err := w.Repo.TreeHash(ctx, s.Worktree)
	if err != nil {
		return false, err
	}
	base, err := w.Repo.TreeOf(ctx, s.Base)
	return now != base, err
}

// failureMessage has seed 004's fields.
func failureMessage(s loop.State) git.Message {
	gate, hash := "-", "-"
	if l := s.Last(); l != nil && l.FailedGate != "" {
		gate, hash = l.FailedGate, l.Fingerprint
	}
	message := fmt.Sprintf("Ralph Loop failed: %s\n\n%s: %s\n\nIterations: %d/%d\nLast gate: %s\nError hash: %s\nReason: %s\n\nThe whole history: %s",
		subject(s.Task.ID), s.Ending.Status, s.Ending.Message, s.Iteration, s.Limits.MaxIterations, gate, hash, s.Ending.Reason, next.Show(s.ID, "--evidence"))
	message += diagnostics(s)
	return git.Message{Text: message, Trailers: trailers(s, s.Iteration), Time: s.Ending.At}
}

// Bounds of the diagnostics in a commit message.
const (
	mostDiagnosed = 5
	mostLines     = 20
	mostLine      = 300
)

// diagnostics quotes what the gates that did not pass reported last, as agents may
// hear of it: the branch is theirs to read.
func diagnostics(s loop.State) string {
	var b strings.Builder
	shown := 0
	for _, r := range s.Blocking() {
		if shown++; shown > mostDiagnosed {
			fmt.Fprintf(&b, "\n\nMore gates did not pass.")
			break
		}
		r = r.ForAgents()
		fmt.Fprintf(&b, "\n\nGate %s %s: %s", r.Gate, r.Verdict, text.Line(r.Reason))
		if r.Tests != nil && len(r.Tests.Failing) > 0 {
			failing := r.Tests.Failing
			fmt.Fprintf(&b, "\n\n    failing: %s", strings.Join(failing[:min(len(failing), mostDiagnosed)], ", "))
		}
		if lines := lastLines(r.Excerpt); len(lines) > 0 {
			b.WriteString("\n\n    " + strings.Join(lines, "\n    "))
		}
	}
	return b.String()
}

// lastLines are the end of a gate's output: the conclusion comes last.
func lastLines(excerpt string) []string {
	excerpt = strings.TrimSpace(text.Clean(excerpt))
	if excerpt == "" {
		return nil
	}
	lines := strings.Split(excerpt, "\n")
	lines = lines[max(0, len(lines)-mostLines):]
	for i, l := range lines {
		lines[i] = text.Head(strings.TrimRight(l, " \t\r"), mostLine)
	}
	return lines
}

// tidy runs the teardown commands and hands the worktrees back. The branch of a loop that passed stays; that
// of a failed one goes once its commits stand on the failure branch.
func (w *Worker) tidy(ctx context.Context, s loop.State, h *Hooks) (loop.Event, error) {
	note, err := w.tearDown(ctx, s, h)
	if err != nil {
		return nil, err
	}
	if err := w.returnTrees(ctx, s); err != nil {
		return nil, err
	}
	w.dropKept()
	return loop.Tidied{Note: note}, w.dropBranch(ctx, s)
}

func (w *Worker) dropBranch(ctx context.Context, s loop.State) error {
	if s.Ending == nil || s.Ending.Reason == loop.Green {
		return nil
	}
	ref := "refs/heads/" + s.Branch
	tip, err := w.Repo.RefCommit(ctx, ref)
	if err != nil || tip == "" {
		return nil //nolint:nilerr // there is no branch: nothing to drop
	}
	kept := s.Base
	if s.FailureRef != "" {
		kept = "refs/heads/" + s.FailureRef
	}
	if ok, err := w.Repo.IsAncestor(ctx, tip, kept); err != nil || !ok {
		return nil //nolint:nilerr // not known to be kept elsewhere: leave it
	}
	return w.Repo.DeleteRef(ctx, ref, tip)
}

// keepPlan puts the file of the plan back as it was before the work is
// committed. A box that an agent ticks would be merged with its work and look
// like one that is proved; and it would conflict with ralph's own ticks.
func (w *Worker) keepPlan(ctx context.Context, s loop.State) (notes []string, err error) {
	in := s.Task.Plan
	if in == nil || in.File == "" || s.InPlace || s.Worktree == "" {
		return nil, nil
	}
	touched, err := w.Repo.RestoreFrom(ctx, s.Worktree, s.Base, []string{literally(in.File)})
	if err != nil {
		return nil, fmt.Errorf("put the plan's file back: %w", err)
	}
	if len(touched) > 0 {
		notes = append(notes, "the agent changed the plan's file, "+in.File+": put back, it is no part of the work")
	}
	return notes, nil
}

// literally is a glob that matches this path alone.
func literally(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(path)
}
