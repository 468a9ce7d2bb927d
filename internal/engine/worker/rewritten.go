package worker

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// mostRead bounds the written files of data that are searched for in tests and scripts.
const mostRead = 20

// mostRewritten bounds the written files in a result. What a run on the base wrote beyond that
// counts as written by the work alone.
const mostRewritten = 500

// unwritten are the files for whose writing a gate is watched: those that it must not write, and
// data, of which only what its tests and scripts read counts. The tree of an agent and the files
// that lie over that of a hidden gate are not looked at.
func (w *Worker) unwritten(ctx context.Context, s loop.State, e evaluation, where string) ([]string, error) {
	if where != GateTree || e.Gate.Hidden {
		return nil, nil
	}
	files, err := w.files(ctx, e.Commit)
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", git.Short(e.Commit), err)
	}
	judges, err := w.neverWritten(ctx, s, e, files)
	if err != nil {
		return nil, err
	}
	return append(judges, slices.DeleteFunc(judge.Data(files), func(p string) bool { return slices.Contains(judges, p) })...), nil
}

// neverWritten are the tests of a commit, the settings of the tools that inspect it, the scripts that
// a gate runs, and the files with which its commands compare.
func (w *Worker) neverWritten(ctx context.Context, s loop.State, e evaluation, files []proof.File) ([]string, error) {
	duties, err := w.dutiesOf(ctx, cmp.Or(s.Base, e.Commit), *e.Gate)
	if err != nil {
		return nil, err
	}
	return slices.Concat(judge.TestSources(files), judge.ToolSettings(*e.Gate, duties), duties.Scripts, duties.Compared), nil
}

// testsUntouched takes the pass from a gate during whose run tests or settings were written that
// the run on the base leaves alone: what ran is not what was committed.
func (w *Worker) testsUntouched(ctx context.Context, s loop.State, e evaluation, r loop.Result) (loop.Result, error) {
	all := r.Rewritten
	r.Rewritten = all[:min(len(all), mostRewritten)]
	if len(all) == 0 || e.OnBase {
		return r, nil
	}
	work, err := w.files(ctx, e.Commit)
	if err != nil {
		return r, err
	}
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	c := judge.Case{Scope: s.Task.Scope, MayChange: s.MayChange, Reviewed: allowedByReview(s, work)}
	wrong := slices.DeleteFunc(slices.Clone(all), func(p string) bool {
		return c.Permits(p) || before != nil && slices.Contains(before.Rewritten, p)
	})
	if wrong, err = w.judging(ctx, s, e, work, wrong); err != nil {
		return r, err
	}
	if len(wrong) > 0 {
		lose(&r, "while it ran, files that judge it were written, which does not happen on the base: "+listPaths(wrong, len(wrong))+s.Remedy(loop.RemedyWrites))
	}
	return r, nil
}

// judging leaves out files of data that neither tests nor scripts of the gate read.
func (w *Worker) judging(ctx context.Context, s loop.State, e evaluation, work []proof.File, written []string) ([]string, error) {
	if len(written) == 0 {
		return nil, nil
	}
	judges, err := w.neverWritten(ctx, s, e, work)
	if err != nil {
		return nil, err
	}
	base, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	data := slices.DeleteFunc(slices.Clone(written), func(p string) bool { return slices.Contains(judges, p) })
	n := min(len(data), mostRead)
	read, err := judge.ReadBy(*e.Gate, base, data[:n], func(id string) ([]byte, error) { return w.blob(ctx, id) })
	if err != nil {
		return nil, fmt.Errorf("find what gate %s reads: %w", e.Gate.Name, err)
	}
	read = append(read, data[n:]...) // not known: as if they were read
	return slices.DeleteFunc(written, func(p string) bool { return !slices.Contains(judges, p) && !slices.Contains(read, p) }), nil
}
