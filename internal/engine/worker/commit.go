package worker

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/addition"
	"ralph/internal/text"
)

// commit puts the agent's changes into a commit on the loop's branch. The
// agent's own commits are kept. lost: the tree was gone and is a new one.
func (w *Worker) commit(ctx context.Context, s loop.State, lost bool) (loop.Event, error) {
	before := s.Tip()
	if err := w.answer(ctx, s); err != nil {
		return nil, err
	}
	own, err := w.keepPlan(ctx, s)
	if err != nil {
		return nil, err
	}
	done := loop.Committed{}
	notes, err := w.bring(ctx, s, before, &done)
	if err != nil {
		return nil, err
	}
	notes, w.notes = slices.Concat(w.notes, own, notes), nil
	if lost {
		notes = append(notes, "the worktree was deleted meanwhile; what was not committed is lost")
	}
	tip := done.Commit
	done.Changed, done.Notes = tip != before, notes
	patch := make(chan error, 1)
	go func() { patch <- w.writePatch(ctx, s, before, tip) }()
	err = w.compare(ctx, s, before, &done)
	if err == nil {
		done.Links, err = w.findLinks(ctx, s, tip)
	}
	if err == nil {
		done.Suspects, done.Findings, err = w.findSuspects(ctx, s, tip)
	}
	if err == nil {
		done.Obeyed, err = w.findObeyed(ctx, s, tip)
	}
	if err == nil {
		done.Secrets, notes, err = w.findSecrets(ctx, s, tip)
		done.Notes = append(done.Notes, notes...)
	}
	return done, errors.Join(err, <-patch)
}

// bring moves the branch to a commit that holds the tree's present content. In
// place neither the user's index nor their branch moves.
func (w *Worker) bring(ctx context.Context, s loop.State, before string, done *loop.Committed) (notes []string, err error) {
	message := git.Message{Text: subject(s.Task.Text), Trailers: trailers(s, s.Iteration)}
	if !s.InPlace {
		branch, err := w.Repo.BranchOf(ctx, s.Worktree)
		if err == nil && branch != s.Branch {
			notes = append(notes, "the agent left branch "+s.Branch+"; its commits are kept")
		}
	}
	work, err := w.Repo.Commit(ctx, s.Worktree, message, git.CommitOptions{Branch: s.Branch, InPlace: s.InPlace, Parent: before})
	if err != nil {
		return nil, fmt.Errorf("commit the agent's work: %w", err)
	}
	done.Commit = work.Commit
	if nested := work.Nested[:min(len(work.Nested), 5)]; len(nested) > 0 {
		done.Nested = nested
		notes = append(notes, "the agent left git repositories in its worktree, whose files no commit holds: "+strings.Join(nested, ", "))
	}
	ok, err := w.Repo.IsAncestor(ctx, before, work.Commit)
	if err == nil && !ok {
		done.Rewritten = true
		notes = append(notes, "the agent rewrote history: "+git.Short(before)+" is no longer part of the branch")
	}
	return notes, err
}

// compare fills in the changes, and those that a reviewer should look at
// twice.
func (w *Worker) compare(ctx context.Context, s loop.State, before string, done *loop.Committed) error {
	changes, err := w.Repo.ChangedFiles(ctx, before, done.Commit)
	if err != nil {
		return err
	}
	const most = 50
	var touched, tests []string
	for _, c := range changes {
		if len(done.Files) < most {
			done.Files = append(done.Files, c.Path)
		}
		if isTest(c.Path) && c.Status != "A" {
			touched = append(touched, c.Path)
		}
	}
	if len(touched) > 0 {
		if tests, err = w.withChangedTests(ctx, s.Base, done.Commit, touched); err != nil {
			return err
		}
	}
	if len(tests) > 0 {
		done.Notes = append(done.Notes, loop.TestsChanged+strings.Join(tests[:min(len(tests), 5)], ", "))
	}
	base, err := w.Repo.TreeOf(ctx, s.Base)
	if err != nil {
		return err
	}
	tree, err := w.Repo.TreeOf(ctx, done.Commit)
	done.Differs, done.Tree = tree != base, tree
	return err
}

// withChangedTests are those of the files whose tests of the base the work changed: not those
// that it has added itself, and not those to which it only added tests.
func (w *Worker) withChangedTests(ctx context.Context, base, work string, files []string) (out []string, err error) {
	was, err := w.files(ctx, base)
	if err != nil {
		return nil, err
	}
	now, err := w.files(ctx, work)
	if err != nil {
		return nil, err
	}
	at := func(list []proof.File, p string) (f proof.File) {
		if i := slices.IndexFunc(list, func(f proof.File) bool { return f.Path == p }); i >= 0 {
			f = list[i]
		}
		return f
	}
	for _, p := range files {
		before, after := at(was, p), at(now, p)
		if before.ID == "" || before == after {
			continue
		}
		added, err := w.onlyAdds(ctx, before, after)
		if err != nil {
			return nil, err
		}
		if !added {
			out = append(out, p)
		}
	}
	return out, nil
}

// onlyAdds reports whether a file of tests only gained some.
func (w *Worker) onlyAdds(ctx context.Context, before, after proof.File) (bool, error) {
	if before.Mode != after.Mode || !strings.HasPrefix(after.Mode, "100") {
		return false, nil
	}
	base, err := w.blob(ctx, before.ID)
	if err != nil {
		return false, err
	}
	work, err := w.blob(ctx, after.ID)
	if err != nil || base == nil || work == nil { // nil is too large to be read
		return false, err
	}
	return addition.Only(after.Path, base, work), nil
}

// writePatch keeps the diff of an attempt, without secrets.
func (w *Worker) writePatch(ctx context.Context, s loop.State, before, tip string) error {
	if tip == before {
		return nil
	}
	const most = 8 << 20
	patch, _, err := w.Repo.Diff(ctx, before, tip, most)
	if err != nil {
		return err
	}
	return durable.Write(w.Files.Patch(s.Iteration), []byte(w.redactGate(s, loop.Gate{}).Mask(string(patch))))
}

// isTest reports whether a path looks like a test to the usual runners.
func isTest(p string) bool {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stem, "_test") || strings.HasPrefix(base, "test_") ||
		strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, "_spec") ||
		slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(d string) bool {
			return d == "test" || d == "tests" || d == "__tests__" || d == "spec"
		})
}

// subject is the first line of the task as that of a commit.
func subject(task string) string { return text.Headline(task, 72) }

// trailers record the origin of a commit.
func trailers(s loop.State, iteration int) []git.Trailer {
	return []git.Trailer{
		{Key: git.LoopTrailer, Value: s.ID},
		{Key: "Ralph-Task", Value: s.Task.ID},
		{Key: "Ralph-Iteration", Value: strconv.Itoa(iteration)},
	}
}

// list names every file of a commit.
func (w *Worker) list(ctx context.Context, commit string) ([]string, error) {
	files, err := w.files(ctx, commit)
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Path
	}
	return names, err
}

func (w *Worker) submodules(ctx context.Context, commit string) (bool, error) {
	files, err := w.files(ctx, commit)
	return slices.ContainsFunc(files, func(f proof.File) bool { return f.Mode == git.SubmoduleMode }), err
}
