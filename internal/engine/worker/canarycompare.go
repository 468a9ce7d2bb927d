package worker

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/gate/canary"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// mostSubjects bounds what gets other values to be compared with, each in a run of its own.
const mostSubjects = 3

// comparison is a place in which a gate compares, and what it asks there.
type comparison struct{ place, subject string }

// tryComparisons takes the pass from a gate that has only an exit code, where it is green also
// with other values in the place of those with which its scripts compare: each function or
// program that they ask is tried alone, those first that the work speaks of. It accuses where the
// same made the gate red on the base; where the base was red before, it can only ask.
func (w *Worker) tryComparisons(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	r.Canary, r.CanaryWhy = loop.CanaryNA, "the command is no test runner that ralph knows"
	if !slices.Contains([]loop.Kind{loop.KindTests, loop.KindCoverage, loop.KindCommand, ""}, e.Gate.Kind) || s.GatesInAgentTree {
		return nil
	}
	var all []comparison
	if _, _, err := w.otherwise(ctx, s, e, func(c comparison) bool { all = append(all, c); return false }); err != nil {
		return err
	}
	tried, err := w.askedFirst(ctx, s, e, all)
	if err != nil {
		return err
	}
	var judges []proof.Edit // a changed script is judged by its second run
	if r.Judging != nil && len(tried) > 0 {
		changed, err := w.changedJudges(ctx, s, e, h)
		if err != nil {
			return err
		}
		judges = changed.Edits
	}
	before := loop.ResultOf(s.BaseResults, e.Gate.Name)
	decide := 0
	for _, subject := range tried {
		of := func(c comparison) bool { return c.subject == subject }
		green, err := w.greenOtherwise(ctx, s, e, e.Commit, judges, of, h)
		if err != nil {
			return err
		}
		why := "it is green although ralph changed what it compares with, such as in " + all[slices.IndexFunc(all, of)].place
		switch {
		case !green:
			decide++
			continue
		case before == nil || before.Verdict != loop.Passed:
			r.Canary, r.CanaryWhy = loop.CanaryUnknown, why
			return nil
		}
		if green, err = w.greenOtherwise(ctx, s, e, s.Base, nil, of, h); err != nil {
			return err
		}
		if green { // it decides nothing there
			continue
		}
		if green, err = w.greenOtherwise(ctx, s, e, e.Commit, judges, of, h); err != nil {
			return err
		}
		if green {
			r.Canary, r.CanaryWhy = loop.CanarySwallowed, why+", and on the base it was red with that"
			lose(r, "the gate no longer reports failures: "+r.CanaryWhy)
			return nil
		}
		decide++
	}
	if decide > 0 {
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("it failed with other values to compare with, in %d of %d runs", decide, len(tried))
	}
	return nil
}

// askedFirst is what comparisons ask, those first that the work speaks of; where it speaks of
// some, no others.
func (w *Worker) askedFirst(ctx context.Context, s loop.State, e evaluation, all []comparison) (out []string, err error) {
	for _, c := range all {
		if !slices.Contains(out, c.subject) {
			out = append(out, c.subject)
		}
	}
	ids, err := w.filesOf(ctx, e.Commit, e)
	if err != nil {
		return nil, err
	}
	changed, err := w.workFiles(ctx, s.Base, e)
	if err != nil {
		return nil, err
	}
	spoken := slices.DeleteFunc(slices.Clone(out), func(subject string) bool { return subject != "" }) // "" may be any
	for _, f := range changed {
		data, err := w.blob(ctx, ids[f])
		if err != nil {
			return nil, err
		}
		for _, subject := range out {
			name := path.Base(subject)
			if !slices.Contains(spoken, subject) && (strings.Contains(f, name) || strings.Contains(string(data), name)) {
				spoken = append(spoken, subject)
			}
		}
	}
	if len(spoken) > 0 {
		out = spoken
	}
	return out[:min(len(out), mostSubjects)], nil
}

// greenOtherwise runs the gate on a commit, with these judge files and other values to compare with.
func (w *Worker) greenOtherwise(ctx context.Context, s loop.State, e evaluation, commit string, judges []proof.Edit, of func(comparison) bool, h *Hooks) (bool, error) {
	gate, edits, err := w.otherwise(ctx, s, e, of)
	if err != nil {
		return false, err
	}
	c := evaluation{Action: e.Action, name: "canary", attempt: e.attempt, pass: e.pass, left: e.left}
	if c.Gate, c.Commit = &gate, commit; commit != e.Commit {
		c.OnBase, c.attempt, c.pass = true, 0, 0
	}
	ours := func(j proof.Edit) bool {
		return slices.ContainsFunc(edits, func(o proof.Edit) bool { return o.Path == j.Path })
	}
	r, err := w.runVariant(ctx, s, c, append(slices.DeleteFunc(slices.Clone(judges), ours), edits...), h)
	return r.ExitCode != nil && *r.ExitCode == 0, err
}

// otherwise changes what the gate compares with on the base: in its command, in the scripts and
// programs that it runs, and in the files of data with which these compare.
func (w *Worker) otherwise(ctx context.Context, s loop.State, e evaluation, of func(comparison) bool) (gate loop.Gate, edits []proof.Edit, err error) {
	gate = *e.Gate
	duties, err := w.dutiesOf(ctx, s.Base, gate)
	if err != nil {
		return gate, nil, err
	}
	files, err := w.files(ctx, s.Base)
	if err != nil {
		return gate, nil, err
	}
	gate.Run = canary.Otherwise(gate.Run, true, func(c canary.Change) bool { return of(comparison{"its command", c.Subject}) })
	listed := func(list, file string) bool { return strings.Contains("\n"+list+"\n", "\n"+file+"\n") }
	for _, f := range files {
		script := listed(duties.Scripts, f.Path)
		if !proof.IsFile(f) || !script && !listed(duties.Compared, f.Path) || script && path.Ext(f.Path) == ".json" {
			continue
		}
		data, err := w.blob(ctx, f.ID)
		if err != nil {
			return gate, nil, err
		}
		text := string(data)
		changed := text
		if script {
			lang := proof.SourceLanguage(f.Path, text)
			changed = canary.Otherwise(text, lang == "shell" || lang == "" || judge.IsMakefile(f.Path), func(c canary.Change) bool {
				return of(comparison{fmt.Sprintf("%s:%d", f.Path, c.Line), c.Subject})
			})
		} else if other, ok := canary.OtherLine(text); ok && of(comparison{f.Path, "files"}) {
			changed = other
		}
		if changed != text {
			edits = append(edits, proof.Edit{Path: f.Path, Mode: f.Mode, Data: []byte(changed)})
		}
	}
	return gate, edits, nil
}
