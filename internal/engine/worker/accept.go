package worker

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// Accept brings the commits of a passed loop to the branch that is checked out
// in the user's tree: as they are where that is a fast-forward, else by a merge
// on which the hard gates run again before anything of the user's moves. They do so too
// where the evidence of the loop is not as it was recorded. A conflict is an
// *engine.ConflictError.
func (w *Worker) Accept(ctx context.Context, s loop.State, o engine.AcceptOptions) (engine.Accepted, error) {
	if err := w.content(ctx); err != nil {
		return engine.Accepted{}, err
	}
	if err := w.beforeAccept(ctx, s); err != nil {
		return engine.Accepted{}, err
	}
	head, err := w.Repo.Head(ctx)
	if err != nil {
		return engine.Accepted{}, err
	}
	if head.Branch == "" {
		return engine.Accepted{}, engine.ErrDetached
	}
	if has, err := w.has(ctx, head.Commit, s.Accepted); has || err != nil {
		done := engine.Accepted{Branch: head.Branch, Commit: head.Commit, Already: true}
		if err == nil && !o.KeepBranches { // an earlier call could not delete it, or was killed before it did
			done.Stays = w.dropMerged(ctx, s, s.Accepted)
		}
		return done, err
	}
	m := git.Message{Text: "Merge " + s.Branch + ": " + subject(s.Task.Text), Trailers: mergeTrailers(s)}
	merged, err := w.Repo.Merge(ctx, head.Commit, s.Commit, m)
	if met, ok := errors.AsType[git.ErrConflict](err); ok {
		err = &engine.ConflictError{Run: s.ID, Branch: s.Branch, Clash: loop.NewClash(head.Branch, head.Commit, s.Commit, met.Paths)}
	}
	if err != nil {
		return engine.Accepted{}, err
	}
	done := engine.Accepted{Branch: head.Branch, Commit: merged.Commit, FastForward: merged.FastForward, Already: merged.Commit == head.Commit}
	if !merged.FastForward || w.evidenceChanged(s) {
		if done.Results, err = w.evaluateAt(ctx, s, merged.Commit, head.Commit, head.Commit, s.Commit); err != nil {
			if red, ok := errors.AsType[*engine.NotGreenError](err); ok {
				err = &engine.ConflictError{Run: s.ID, Branch: s.Branch, Clash: red.Clash(head.Branch, head.Commit, s.Commit), Red: red}
			}
			return done, err
		}
	}
	if o.Strategy == engine.SquashWork {
		m.Text = subject(s.Task.Text)
	}
	if done.Commit, err = w.Repo.Shape(ctx, git.Strategy(o.Strategy), head.Commit, s.Commit, merged.Commit, m); err != nil {
		return done, err
	}
	done.FastForward = merged.FastForward && done.Commit == merged.Commit
	if !done.Already {
		if err := w.Repo.AdvanceOver(ctx, head.Branch, done.Commit, head.Commit, carried(s)); err != nil {
			return done, err
		}
	}
	if o.KeepBranches {
		return done, nil
	}
	done.Stays = w.dropMerged(ctx, s, done.Commit)
	return done, nil
}

// has reports whether a branch has the commit as which the work was accepted before.
func (w *Worker) has(ctx context.Context, head, accepted string) (bool, error) {
	if accepted == "" {
		return false, nil
	}
	return w.Repo.IsAncestor(ctx, accepted, head)
}

// evidenceChanged reports whether files of the loop's evidence are missing or not as they
// were recorded. Then nothing but its gates, run again, speaks for the work.
func (w *Worker) evidenceChanged(s loop.State) bool { return len(w.Files.Changed(s)) > 0 }

// mergeTrailers are those of a merge of passed work. The judged commit cannot name
// its own proof.
func mergeTrailers(s loop.State) []git.Trailer {
	out := trailers(s, s.Iteration)
	if label := s.ProofLabel(); label != "" {
		out = append(out, git.Trailer{Key: git.ProofTrailer, Value: label})
	}
	return out
}

// carried is the commit of the changes that a loop took along: where a person
// still has them uncommitted, the result contains them.
func carried(s loop.State) string {
	if s.WithChanges {
		return s.Base
	}
	return ""
}

// Integrate puts the work of a passed loop on top of another commit, and runs
// the hard gates on the result where it is a new one. The work is commit, whose
// content must be the one that was proved. Without the evidence as it was recorded they
// run on an old one, too. No ref moves. A conflict is
// git.ErrConflict, a gate that does not pass a *NotGreenError.
func (w *Worker) Integrate(ctx context.Context, s loop.State, commit, onto string) (engine.Integrated, error) {
	if err := w.content(ctx); err != nil {
		return engine.Integrated{}, err
	}
	if err := w.beforeAccept(ctx, s); err != nil {
		return engine.Integrated{}, err
	}
	if err := w.proved(ctx, s, commit); err != nil {
		return engine.Integrated{}, err
	}
	merged, err := w.Repo.Merge(ctx, onto, commit, git.Message{
		Text: "Land " + s.Task.ID + ": " + subject(s.Task.Text), Trailers: mergeTrailers(s), Time: w.Now(),
	})
	if err != nil {
		return engine.Integrated{}, err
	}
	done := engine.Integrated{Commit: merged.Commit, FastForward: merged.FastForward}
	if !merged.FastForward || w.evidenceChanged(s) {
		done.Results, err = w.evaluateAt(ctx, s, merged.Commit, onto, onto, commit)
	}
	return done, err
}

// proved refuses a commit whose content is not the one that passed.
func (w *Worker) proved(ctx context.Context, s loop.State, commit string) error {
	if commit == s.Commit {
		return nil
	}
	want, err := w.Repo.TreeOf(ctx, s.Commit)
	if err != nil {
		return err
	}
	if got, err := w.Repo.TreeOf(ctx, commit); err != nil || got != want {
		return errors.Join(err, fmt.Errorf("commit %s does not hold what loop %s passed with (%s)", commit, s.ID, s.Commit))
	}
	return nil
}

// EvaluateAt runs the hard gates of a loop that has ended on another commit.
func (w *Worker) EvaluateAt(ctx context.Context, s loop.State, commit string) ([]loop.Result, error) {
	if err := w.content(ctx); err != nil {
		return nil, err
	}
	if err := w.beforeAccept(ctx, s); err != nil {
		return nil, err
	}
	log, err := w.Repo.Log(ctx, "", commit, 1)
	if err != nil || len(log) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no commit %s", commit))
	}
	return w.evaluateAt(ctx, s, commit, "", log[0].Parents...)
}

// beforeAccept looks whether the work is whole, and removes the leftovers of an
// earlier try that was killed.
func (w *Worker) beforeAccept(ctx context.Context, s loop.State) error {
	if err := w.Repo.Verify(ctx, s.Commit, s.Base); err != nil {
		return err
	}
	runs, err := filepath.Glob(filepath.Join(w.Files.Dir, "accept", "*", "attempts", "*", "runs"))
	if err != nil {
		return err
	}
	for _, dir := range runs {
		if _, err := w.recoverRuns(ctx, dir); err != nil {
			return err
		}
	}
	return w.returnTrees(ctx, s)
}

// evaluateAt runs the hard gates on a commit, which joins others, in a gate worktree of
// its own. The work must pass with the judge files of the commit against, too; where
// the commit holds the work of several loops it is empty: each was judged before.
func (w *Worker) evaluateAt(ctx context.Context, s loop.State, commit, against string, joined ...string) ([]loop.Result, error) {
	h := &Hooks{}
	tree, err := w.tree(ctx, s, loop.Action{}, h, GateTree, commit)
	if err != nil {
		return nil, err
	}
	s.GateTree, s.GatesInAgentTree = tree, false
	results, err := w.evaluateHard(ctx, s, commit, against, joined, h)
	return results, errors.Join(err, w.returnTrees(ctx, s))
}

func (w *Worker) evaluateHard(ctx context.Context, s loop.State, commit, against string, joined []string, h *Hooks) ([]loop.Result, error) {
	files := w.Files
	defer func() { w.Files = files }()
	w.Files.Dir = filepath.Join(files.Dir, "accept", git.Short(commit))
	var results []loop.Result
	green := true
	for _, g := range s.Gates {
		if g.Level == loop.Soft || g.IsReview() {
			continue
		}
		a := loop.Action{Do: loop.DoGate, Attempt: s.Iteration, Gate: &g, Commit: commit, Timeout: g.Timeout}
		r, err := w.evaluate(ctx, s, evaluation{Action: a, attempt: a.Attempt, pass: passOf(s), against: against, expect: joined, landing: true}, h)
		if err != nil {
			return results, err
		}
		r.Level = g.Level
		results = append(results, r)
		green = green && (r.Verdict == loop.Passed || r.Verdict == loop.Skipped && g.Optional)
	}
	if !green {
		return results, &engine.NotGreenError{Results: results}
	}
	return results, nil
}

// dropMerged deletes the loop's branch: its work is the user's now.
func (w *Worker) dropMerged(ctx context.Context, s loop.State, commit string) error {
	ref := "refs/heads/" + s.Branch
	tip, err := w.Repo.RefCommit(ctx, ref)
	if err != nil || tip != s.Commit {
		return err
	}
	return w.Repo.DropAccepted(ctx, s.ID, ref, tip, commit)
}
