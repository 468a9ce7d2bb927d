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
const ofData = "\x00files"

// tryComparisons asks about a gate that has only an exit code, where it is green also with other
// values in the place of those with which its scripts compare: each function or program that
// they ask is tried alone, those first that the work speaks of. That lines decide is known by
// their form alone, so that it accuses of nothing.
func (w *Worker) tryComparisons(ctx context.Context, s loop.State, e evaluation, r *loop.Result, h *Hooks) error {
	if r.Canary = loop.CanaryNA; r.CanaryWhy == "" {
		r.CanaryWhy = "it has no tests that ralph can make fail, and compares in no form that ralph knows"
	}
	if !slices.Contains([]loop.Kind{loop.KindTests, loop.KindCoverage, loop.KindCommand, ""}, e.Gate.Kind) || s.GatesInAgentTree {
		return nil
	}
	parts, err := w.comparesWith(ctx, s, e)
	if err != nil || len(parts) == 0 {
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
		outcome, err := t.outcome(ctx, subject, otherValues, e.Commit)
		switch {
		case err != nil:
			return err
		case outcome == isRed:
			red++
			continue
		case outcome == isUnknown:
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

// The ways in which a gate is changed: it compares with other values, or fails where it compares.
const (
	otherValues = iota
	failingThere
)

// What a changed gate shows: nothing where it ran out of time or could not start.
const (
	isUnknown = iota
	isGreen
	isRed
)

// decides reports whether the comparisons of a subject, which are green with other values, should
// have failed. They should not where the base is green with these values, too, or where the gate
// does not get to them: it is also green when it fails there.
func (t *comparing) decides(ctx context.Context, subject string) (bool, error) {
	if before := loop.ResultOf(t.state.BaseResults, t.Gate.Name); before != nil && before.Verdict == loop.Passed {
		if outcome, err := t.outcome(ctx, subject, otherValues, t.state.Base); outcome != isRed || err != nil {
			return false, err
		}
	}
	for _, p := range t.parts {
		if slices.ContainsFunc(p.found, func(c comparison.Comparison) bool { return c.Subject == subject && c.Certain }) || p.other != "" && subject == ofData {
			return true, nil
		}
	}
	outcome, err := t.outcome(ctx, subject, failingThere, t.Commit)
	return outcome == isRed, err
}

// outcome is what the gate shows on a commit with its comparisons changed.
func (t *comparing) outcome(ctx context.Context, subject string, how int, commit string) (int, error) {
	gate := *t.Gate
	var edits []proof.Edit
	for _, p := range t.parts {
		of := slices.DeleteFunc(slices.Clone(p.found), func(c comparison.Comparison) bool { return c.Subject != subject })
		text := p.text
		switch {
		case p.other != "" && subject == ofData && how == otherValues:
			text = p.other
		case how == otherValues:
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
	name := "canary"
	if how == failingThere {
		name = "canary-fails"
	}
	c := evaluation{Action: t.Action, name: name, attempt: t.attempt, pass: t.pass, left: t.left}
	if c.Gate, c.Commit = &gate, commit; commit != t.Commit {
		c.OnBase, c.attempt, c.pass = true, 0, 0
	} else {
		ours := func(j proof.Edit) bool {
			return slices.ContainsFunc(edits, func(o proof.Edit) bool { return o.Path == j.Path })
		}
		edits = append(slices.DeleteFunc(slices.Clone(t.judges), ours), edits...)
	}
	r, err := t.runVariant(ctx, t.state, c, edits, t.hooks)
	switch {
	case err != nil || r.ExitCode == nil || r.CannotStart:
		return isUnknown, err
	case *r.ExitCode == 0:
		return isGreen, nil
	}
	return isRed, nil
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
	scripts, data := strings.Split(duties.Scripts, "\n"), strings.Split(duties.Compared, "\n")
	for _, f := range files {
		script := slices.Contains(scripts, f.Path)
		if !proof.IsFile(f) || !script && !slices.Contains(data, f.Path) || script && path.Ext(f.Path) == ".json" {
			continue
		}
		content, err := w.blob(ctx, f.ID)
		if err != nil {
			return nil, err
		}
		p := compares{file: f, text: string(content)}
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

// askedFirst is what comparisons ask: what the work speaks of, and then what may be anything; where
// there is neither, all.
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
	slices.Sort(changed)
	ahead := make([]string, 0, len(changed))
	for _, f := range changed {
		ahead = append(ahead, ids[f])
	}
	if err := w.readAhead(ctx, ahead); err != nil {
		return nil, err
	}
	var spoken, others []string
	for _, subject := range out {
		if subject == "" || subject == ofData {
			others = append(others, subject)
		}
	}
	for _, f := range changed {
		data, err := w.blob(ctx, ids[f])
		if err != nil {
			return nil, err
		}
		for _, subject := range out {
			name := path.Base(subject)
			if !slices.Contains(others, subject) && !slices.Contains(spoken, subject) && (strings.Contains(f, name) || strings.Contains(string(data), name)) {
				spoken = append(spoken, subject)
			}
		}
	}
	if len(spoken)+len(others) > 0 {
		out = append(spoken, others...)
	}
	return out[:min(len(out), mostSubjects)], nil
}
