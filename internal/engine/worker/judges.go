package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/ratchet"
	"ralph/internal/text"
)

// withBaseJudges runs a gate that passed once more, where the work changed judge
// files without permission: with those files as on the base. Both runs must
// pass. A gate that failed already is not run again: no judge file could help it.
func (w *Worker) withBaseJudges(ctx context.Context, s loop.State, e evaluation, r loop.Result, h *Hooks) (loop.Result, error) {
	if e.OnBase || e.against == "" || e.Gate.IsReview() {
		return r, nil
	}
	judges, err := w.changedJudges(ctx, s, e, h)
	if err != nil {
		return r, fmt.Errorf("compare the judge files with the base: %w", err)
	}
	r.Permitted, r.NamesNewTests = firstPaths(judges.Permitted), judges.NamesNew
	if r.Verdict != loop.Passed || len(judges.Edits) == 0 {
		err := w.restsOnData(ctx, s, e, judges, &r, h)
		return r, err
	}
	second, err := w.runWithBaseJudges(ctx, s, e, judges, h)
	if err != nil {
		return r, err
	}
	if second.Verdict == loop.Failed && noTests(&second) && noTests(loop.ResultOf(s.BaseResults, e.Gate.Name)) {
		second.Verdict, second.Reason = loop.Passed, "no tests ran, as on the base"
	}
	r.Judging = &loop.Judging{
		SetAside: firstPaths(judges.SetAside), Changed: len(judges.SetAside), NewTests: firstPaths(judges.New), Verdict: second.Verdict, Reason: second.Reason,
		Tests: second.Tests, ExitCode: second.ExitCode, OutputFile: second.OutputFile, OutputSHA256: second.OutputSHA256,
	}
	if second.Verdict == loop.Passed && second.Flaky != "" {
		r.Flaky, r.Reason = second.Flaky, second.Reason
	}
	if second.Verdict != loop.Passed {
		r.Judging.Broken = judge.Broken(second.Excerpt)
		r = failedAsOnBase(s, r, second)
		if judges.Measures && len(judges.New) > 0 && e.Gate.Kind != loop.KindCoverage && (second.Tests == nil || second.Tests.Failed == 0) {
			r.Reason += "; new tests count to coverage where the command says that it is too low, or the gate has kind: coverage and a threshold"
		}
	}
	err = w.restsOnData(ctx, s, e, judges, &r, h)
	return r, err
}

// noTests reports whether a gate ran to its end and found no test to run.
func noTests(r *loop.Result) bool {
	return r != nil && r.Tests != nil && r.Tests.Run == 0 && r.Tests.Failed == 0 && !r.TimedOut && r.Signal == ""
}

// restsOnData notes that a gate which passes fails with data as on the base, of which its scripts
// may take what they expect.
func (w *Worker) restsOnData(ctx context.Context, s loop.State, e evaluation, j judge.Judges, r *loop.Result, h *Hooks) error {
	if r.Verdict != loop.Passed || len(j.Unexplained) == 0 {
		return nil
	}
	e.name = "data"
	with, err := w.runVariant(ctx, s, e, slices.Concat(j.Edits, j.Unexplained), h)
	if err != nil || with.Verdict != loop.Failed {
		return err
	}
	var data, ignored []string
	for _, edit := range j.Unexplained {
		if edit.Mode != "" {
			data = append(data, edit.Path)
		} else {
			ignored = append(ignored, edit.Path)
		}
	}
	if len(data) > 0 {
		r.Findings.Add(loop.ConcernTampers, "it fails when data files that its scripts read are as on the base; the work changed "+text.Few(data, 3)+s.Remedy(loop.RemedyJudges))
	} else {
		r.Findings.Add(loop.ConcernTampers, "it fails without new files that the base's .gitignore ignores: "+text.Few(ignored, 3)+s.Remedy(loop.RemedyJudges))
	}
	return nil
}

// runWithBaseJudges runs the gate with the base's judges. What a gate that measures coverage
// counts are tests, which work that raises it adds. With those of the base alone the gate's
// floor does not count, nor that of its command, but they must pass; and with the base's
// configuration alone the value of all tests must still reach it.
func (w *Worker) runWithBaseJudges(ctx context.Context, s loop.State, e evaluation, j judge.Judges, h *Hooks) (r loop.Result, err error) {
	newTests := len(j.Runner) < len(j.Edits)
	floor := e.Gate.Kind == loop.KindCoverage && newTests
	all := e
	if all.name = "judges"; floor {
		g := *e.Gate
		g.Threshold, g.Baseline = nil, false
		all.Gate = &g
	}
	if r, err = w.runVariant(ctx, s, all, j.Edits, h); err != nil {
		return r, err
	}
	lacks := j.Measures && newTests && judge.LacksOnlyCoverage(r, loop.ResultOf(s.BaseResults, e.Gate.Name))
	if len(j.Runner) > 0 && (lacks || floor && r.Verdict == loop.Passed) {
		configured := e
		configured.name = "runner"
		if measured, err := w.runVariant(ctx, s, configured, j.Runner, h); err != nil || measured.Verdict != loop.Passed {
			return measured, err
		}
	}
	if lacks {
		r.Verdict, r.Reason = loop.Passed, "the tests of the base pass; the coverage counts those of the work, too"
	}
	return r, nil
}

func (w *Worker) runVariant(ctx context.Context, s loop.State, e evaluation, edits []proof.Edit, h *Hooks) (r loop.Result, err error) {
	if e.variant, err = w.Repo.Variant(ctx, e.Commit, gitEdits(edits)); err != nil {
		return r, err
	}
	return w.retried(ctx, s, e, h)
}

// failedAsOnBase is the result of a gate that passes only with the judge files that
// the work changed. What failed is that of the second run.
func failedAsOnBase(s loop.State, r, second loop.Result) loop.Result {
	r.Verdict = loop.Failed
	if second.Verdict == loop.Error {
		r.Verdict = loop.Error
	}
	r.Reason, r.Flaky = second.Reason, second.Flaky
	if r.Flaky == "" {
		r.Reason += "; " + aside(s, r.Judging)
	}
	r.Fingerprint, r.Excerpt, r.Missing = second.Fingerprint, second.Excerpt, second.Missing
	r.Duration += second.Duration
	return r
}

// aside says without which files the gate does not pass. No new test is accused.
func aside(s loop.State, j *loop.Judging) string {
	how, files, remedy := "it fails when the judge files that the work changed are as on the base: ", listPaths(j.SetAside, j.Changed), loop.RemedyJudges
	switch {
	case j.Changed == 0 && j.Broken:
		how, files, remedy = "the tests of the base do not build without the new tests, which ralph left out: ", listPaths(j.NewTests, len(j.NewTests)), loop.RemedyNew
	case j.Changed == 0:
		how, files, remedy = "it fails without the new tests, which ralph left out: ", listPaths(j.NewTests, len(j.NewTests)), loop.RemedyNew
	case j.Broken:
		how = "the base's version of the judge files that the work changed does not build with this work: "
	}
	return how + files + s.Remedy(remedy)
}

// changedJudges are the judge files that a commit changed.
func (w *Worker) changedJudges(ctx context.Context, s loop.State, e evaluation, h *Hooks) (judge.Judges, error) {
	c, err := w.caseOf(ctx, s, e)
	if err != nil {
		return judge.Judges{}, err
	}
	c.Installed = func(module string) (bool, error) { return w.installed(ctx, s, e, module, h) }
	return c.Judges()
}

// caseOf is what the judge files of a commit are found from, without the packages that
// are installed.
func (w *Worker) caseOf(ctx context.Context, s loop.State, e evaluation) (judge.Case, error) {
	base, work, err := w.bothFiles(ctx, e.against, e.Commit)
	if err != nil {
		return judge.Case{}, err
	}
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	c := judge.Case{
		Gate: *e.Gate, Base: base, Work: work, Protect: s.Protect, Scope: s.Task.Scope, MayChange: s.MayChange, Task: s.Task.Asks(), Reviewed: allowedByReview(s, work),
		Untested: before != nil && before.Tests != nil && before.Tests.Run == 0 && before.Tests.Failed == 0,
		Content:  w.content(ctx),
		Ahead:    func(ids []string) error { return w.readAhead(ctx, ids) },
	}
	if before != nil {
		c.Opened = before.Opened
	}
	if before != nil && before.Tests != nil && before.Tests.NamesFile != "" {
		c.Ran = func() (ratchet.Names, error) {
			names, _, err := namesBefore(before.Gate, before.Tests)
			return names, err
		}
	}
	return c, nil
}

func gitEdits(edits []proof.Edit) []git.Edit {
	out := make([]git.Edit, len(edits))
	for i, e := range edits {
		out[i] = git.Edit(e)
	}
	return out
}

// mostJudges is how many paths a result names (loop.Judging).
const mostJudges = 50

func firstPaths(paths []string) []string { return slices.Clone(paths[:min(len(paths), mostJudges)]) }

// listPaths names the first of so many paths.
func listPaths(paths []string, all int) string {
	const most = 3
	list := strings.Join(paths[:min(len(paths), most)], ", ")
	if more := all - most; more > 0 {
		list += " and " + text.Plural(more, "other")
	}
	return list
}
