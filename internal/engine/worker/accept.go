package worker

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/merge"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// Accept brings the commits of a passed loop to the branch that is checked out in the
// user's tree, see merge.Work.
func (w *Worker) Accept(ctx context.Context, s loop.State, how engine.Strategy) (engine.Accepted, error) {
	if err := w.beforeAccept(ctx, s); err != nil {
		return engine.Accepted{}, err
	}
	work := w.workOf(s, s.Commit, "Merge "+s.Branch+": "+subject(s.Task.Text))
	work.Squash.Text = subject(s.Task.Text)
	work.Accepted, work.Carried = s.Accepted, carried(s)
	return work.Accept(ctx, how)
}

// workOf is the work of a loop, commit, to be merged. The hard gates run on the result
// where it is a new one, or the evidence of the loop is not as it was recorded.
func (w *Worker) workOf(s loop.State, commit, text string) merge.Work {
	message := git.Message{Text: text, Trailers: mergeTrailers(s), Time: w.Now()}
	return merge.Work{
		Repo: w.Repo, Run: s.ID, Branch: s.Branch, Commit: commit, Message: message, Squash: message,
		Judge: func(ctx context.Context, onto string, merged git.Merged) ([]loop.Result, error) {
			if merged.FastForward && !w.evidenceChanged(s) {
				return nil, nil
			}
			return w.evaluateAt(ctx, s, merged.Commit, onto, onto, commit)
		},
	}
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

// Integrate puts the work of a passed loop on top of another commit, see merge.Work. The work
// is commit, whose content must be the one that was proved.
func (w *Worker) Integrate(ctx context.Context, s loop.State, commit, onto string) (engine.Integrated, error) {
	if err := w.beforeAccept(ctx, s); err != nil {
		return engine.Integrated{}, err
	}
	if err := w.proved(ctx, s, commit); err != nil {
		return engine.Integrated{}, err
	}
	return w.workOf(s, commit, "Land "+s.Task.ID+": "+subject(s.Task.Text)).Integrate(ctx, onto)
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
	if err := w.FreezeFilters(ctx); err != nil {
		return err
	}
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
// its own. The work must also pass with the judge files of the commit named by against. Where
// the commit holds the work of several loops, against is empty: the work of each was judged
// before.
func (w *Worker) evaluateAt(ctx context.Context, s loop.State, commit, against string, joined ...string) ([]loop.Result, error) {
	h, at := &Hooks{}, w.leaving(filepath.Join(w.Files.Dir, "accept", git.Short(commit)))
	defer at.dropKept()
	tree, err := at.tree(ctx, s, loop.Action{}, h, GateTree, commit)
	if err != nil {
		return nil, err
	}
	s.GateTree, s.GatesInAgentTree = tree, false
	results, err := at.evaluateHard(ctx, s, commit, against, joined, h)
	return results, errors.Join(err, w.returnTrees(ctx, s))
}

// leaving returns a worker of the same loop that leaves its files in another folder: what
// set-up and gates print, and the HOME that set-up fills for the gates.
func (w *Worker) leaving(dir string) *Worker {
	other := *w
	other.Files.Dir = dir
	return &other
}

func (w *Worker) evaluateHard(ctx context.Context, s loop.State, commit, against string, joined []string, h *Hooks) ([]loop.Result, error) {
	var results, red []loop.Result
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
		if g.BlockedBy(r) {
			red = append(red, r)
		}
	}
	if len(red) == 0 && !slices.ContainsFunc(results, func(r loop.Result) bool { return r.Verdict == loop.Passed }) {
		red = results // where optional gates alone judge, and their tools are missing
	}
	if len(red) > 0 {
		return results, &engine.NotGreenError{Red: red}
	}
	return results, nil
}

// DropMerged deletes the loop's branch: its work is the user's now.
func (w *Worker) DropMerged(ctx context.Context, s loop.State, commit string) error {
	ref := "refs/heads/" + s.Branch
	tip, err := w.Repo.RefCommit(ctx, ref)
	if err != nil || tip != s.Commit {
		return err
	}
	return w.Repo.DropAccepted(ctx, s.ID, ref, tip, commit)
}
