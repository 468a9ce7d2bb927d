package worker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proof/judge"
)

// unwritten are the files that a gate must not write: the tests of its commit, the settings
// of the tools that inspect it, the scripts that it runs, the files with which its commands
// compare, and the data that tests and scripts read. The tree of an
// agent and the files that lie over that of a hidden gate are not looked at.
func (w *Worker) unwritten(ctx context.Context, s loop.State, e evaluation, where string) ([]string, error) {
	if where != GateTree || e.Gate.Hidden {
		return nil, nil
	}
	files, err := w.files(ctx, e.Commit)
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", git.Short(e.Commit), err)
	}
	duties, err := w.dutiesOf(ctx, cmp.Or(s.Base, e.Commit), *e.Gate)
	if err != nil {
		return nil, err
	}
	named := strings.FieldsFunc(duties.Scripts+"\n"+duties.Compared+"\n"+duties.Data, func(r rune) bool { return r == '\n' })
	return slices.Concat(judge.TestSources(files), judge.ToolSettings(*e.Gate, duties), named), nil
}

// testsUntouched takes the pass from a gate during whose run tests or settings were written that
// the run on the base leaves alone: what ran is not what was committed.
func (w *Worker) testsUntouched(ctx context.Context, s loop.State, e evaluation, r loop.Result) (loop.Result, error) {
	if len(r.Rewritten) == 0 || e.OnBase {
		return r, nil
	}
	work, err := w.files(ctx, e.Commit)
	if err != nil {
		return r, err
	}
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	c := judge.Case{Scope: s.Task.Scope, MayChange: s.MayChange, Reviewed: allowedByReview(s, work)}
	wrong := slices.DeleteFunc(slices.Clone(r.Rewritten), func(p string) bool {
		return c.Permits(p) || before != nil && slices.Contains(before.Rewritten, p)
	})
	if len(wrong) > 0 {
		lose(&r, "while it ran, files that judge it were written, which the base does not do: "+listPaths(wrong, len(wrong))+" ("+loop.RemedyWrites+")")
	}
	return r, nil
}
