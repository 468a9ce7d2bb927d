package worker

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/gate/comparison"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// mostSubjects bounds what gets other values to be compared with, each in a run of its own.
const mostSubjects = 3

// compares is a part of a gate that compares what the product gives, as on the base: its
// command, a script or program that it runs, or a file of data with which these compare.
type compares struct {
	file        proof.File
	text, other string
	found       []comparison.Comparison
}

// expects matches the name of a file with what a case gives.
var expects = lazyregexp.New(`(?i)expect|golden|want|snapshot|approved|correct|\.(?:out|ok|ans|exp|ref)\b`)

// ofData is the subject of files of data.
const ofData = "files"

// tryComparisons asks about a gate that has only an exit code, where it is green also with other
// values in the place of those with which its scripts compare: each function or program that
// they ask is tried alone, those first that the work speaks of. That lines decide is known by
// their form alone, so that it accuses of nothing.
func (w *Worker) tryComparisons(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	r.Canary, r.CanaryWhy = loop.CanaryNA, "it has no tests that ralph can make fail, and compares in no form that ralph knows"
	if !slices.Contains([]loop.Kind{loop.KindTests, loop.KindCoverage, loop.KindCommand, ""}, e.Gate.Kind) || s.GatesInAgentTree {
		return nil
	}
	parts, err := w.comparesWith(ctx, s, e)
	if err != nil {
		return err
	}
	subjects, err := w.askedFirst(ctx, s, e, parts)
	if err != nil {
		return err
	}
	t := comparing{Worker: w, state: s, evaluation: e, hooks: h, parts: parts}
	if r.Judging != nil && len(subjects) > 0 { // a changed script is judged by its second run
		changed, err := w.changedJudges(ctx, s, e, h)
		if err != nil {
			return err
		}
		t.judges = changed.Edits
	}
	red := 0
	for _, subject := range subjects {
		green, err := t.green(ctx, subject, other, e.Commit)
		switch {
		case err != nil:
			return err
		case !green:
			red++
			continue
		}
		if decides, err := t.decides(ctx, subject); err != nil {
			return err
		} else if decides {
			r.Canary, r.CanaryWhy = loop.CanaryUnknown, "it passes although ralph changed the values that it compares with, such as in "+t.place(subject)
			return nil
		}
	}
	if red > 0 {
		r.Canary, r.CanaryWhy = loop.CanaryReported, fmt.Sprintf("it fails where ralph changes the values that it compares with (tried: %d)", red)
	}
	return nil
}

// comparing is one search for comparisons that decide nothing any more.
type comparing struct {
	*Worker
	state loop.State
	evaluation
	hooks  *Hooks
	parts  []compares
	judges []proof.Edit
}

// The ways in which a gate is changed.
const (
	other = iota
	failing
)

// decides reports whether comparisons decide that are green with other values. They do not where
// the base is green with these, too, nor where the gate is also green if it fails there: it does
// not get there. One to which it must get was left out by the product.
func (t *comparing) decides(ctx context.Context, subject string) (bool, error) {
	if before := loop.ResultOf(t.state.BaseResults, t.Gate.Name); before != nil && before.Verdict == loop.Passed {
		if green, err := t.green(ctx, subject, other, t.state.Base); green || err != nil {
			return false, err
		}
	}
	for _, p := range t.parts {
		if slices.ContainsFunc(p.found, func(c comparison.Comparison) bool { return c.Subject == subject && c.Certain }) || p.other != "" && subject == ofData {
			return true, nil
		}
	}
	green, err := t.green(ctx, subject, failing, t.Commit)
	return !green, err
}

// green reports whether the gate is green on a commit with its comparisons changed.
func (t *comparing) green(ctx context.Context, subject string, how int, commit string) (bool, error) {
	gate := *t.Gate
	var edits []proof.Edit
	for _, p := range t.parts {
		of := slices.DeleteFunc(slices.Clone(p.found), func(c comparison.Comparison) bool { return c.Subject != subject })
		text := p.text
		switch {
		case p.other != "" && subject == ofData && how == other:
			text = p.other
		case how == other:
			text = comparison.Otherwise(text, of)
		default:
			text = comparison.Failing(text, of)
		}
		switch {
		case text == p.text:
		case p.file.Path == "":
			gate.Run = text
		default:
			edits = append(edits, proof.Edit{Path: p.file.Path, Mode: p.file.Mode, Data: []byte(text)})
		}
	}
	c := evaluation{Action: t.Action, name: "canary", attempt: t.attempt, pass: t.pass, left: t.left}
	if c.Gate, c.Commit = &gate, commit; commit != t.Commit {
		c.OnBase, c.attempt, c.pass = true, 0, 0
	} else {
		ours := func(j proof.Edit) bool {
			return slices.ContainsFunc(edits, func(o proof.Edit) bool { return o.Path == j.Path })
		}
		edits = append(slices.DeleteFunc(slices.Clone(t.judges), ours), edits...)
	}
	r, err := t.runVariant(ctx, t.state, c, edits, t.hooks)
	return r.ExitCode != nil && *r.ExitCode == 0, err
}

// place is the first where a subject is asked.
func (t *comparing) place(subject string) string {
	for _, p := range t.parts {
		at := slices.IndexFunc(p.found, func(c comparison.Comparison) bool { return c.Subject == subject })
		switch {
		case at >= 0 && p.file.Path == "":
			return "its command"
		case at >= 0:
			return fmt.Sprintf("%s:%d", p.file.Path, p.found[at].Line)
		case p.other != "" && subject == ofData:
			return p.file.Path
		}
	}
	return ""
}

// comparesWith are the parts of a gate that compare.
func (w *Worker) comparesWith(ctx context.Context, s loop.State, e evaluation) (parts []compares, err error) {
	duties, err := w.dutiesOf(ctx, s.Base, *e.Gate)
	if err != nil {
		return nil, err
	}
	files, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	add := func(p compares) {
		if len(p.found) > 0 || p.other != "" {
			parts = append(parts, p)
		}
	}
	add(compares{text: e.Gate.Run, found: comparison.Of(comparison.Shell, e.Gate.Run)})
	listed := func(list, file string) bool { return strings.Contains("\n"+list+"\n", "\n"+file+"\n") }
	for _, f := range files {
		script := listed(duties.Scripts, f.Path)
		if !proof.IsFile(f) || !script && !listed(duties.Compared, f.Path) || script && path.Ext(f.Path) == ".json" {
			continue
		}
		data, err := w.blob(ctx, f.ID)
		if err != nil {
			return nil, err
		}
		p := compares{file: f, text: string(data)}
		if !script {
			// one that is an input, too, would change what is compared with it
			if named := strings.Count(duties.Texts, path.Base(f.Path)); named == 1 || named == 0 && expects.MatchString(f.Path) {
				p.other, _ = comparison.OtherLine(p.text)
				add(p)
			}
			continue
		}
		lang := proof.SourceLanguage(f.Path, p.text)
		switch {
		case judge.IsMakefile(f.Path):
			lang = comparison.Make
		case lang == "":
			lang = comparison.Shell
		}
		p.found = comparison.Of(lang, p.text)
		add(p)
	}
	return parts, nil
}

// askedFirst is what comparisons ask, those first that the work speaks of; where it speaks of
// some, no others but those that may ask anything.
func (w *Worker) askedFirst(ctx context.Context, s loop.State, e evaluation, parts []compares) (out []string, err error) {
	for _, p := range parts {
		if p.other != "" && !slices.Contains(out, ofData) {
			out = append(out, ofData)
		}
		for _, c := range p.found {
			if !slices.Contains(out, c.Subject) {
				out = append(out, c.Subject)
			}
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
	spoken := slices.DeleteFunc(slices.Clone(out), func(subject string) bool { return subject != "" && subject != ofData })
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
