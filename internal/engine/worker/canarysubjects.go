package worker

import (
	"context"
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

// mostScriptsTold scripts of a gate are named where none of them compares.
const mostScriptsTold = 3

// compares is a part of a gate that compares what the product gives, as on the base: its
// command, a script or program that it runs, or a file of data with which these compare.
type compares struct {
	file       proof.File
	lang, text string
	found      []comparison.Comparison
	// other is the text of data with another value at its end; rows has more of such texts.
	other string
	rows  comparison.Rows
}

// expects matches the name of a file with what a case gives.
var expects = lazyregexp.New(`(?i)expect|golden|want|snapshot|approved|correct|\.(?:out|ok|ans|exp|ref)\b`)

// ofData is the subject of files of data.
const ofData = "\x00files"

// comparesWith are the parts of a gate that compare, and the names of those that were read, at most
// mostScriptsTold.
func (w *Worker) comparesWith(ctx context.Context, s loop.State, e evaluation) (parts []compares, read []string, err error) {
	duties, err := w.dutiesOf(ctx, s.Base, *e.Gate)
	if err != nil {
		return nil, nil, err
	}
	files, err := w.files(ctx, s.Base)
	if err != nil {
		return nil, nil, err
	}
	rows := map[string]string{} // the script that reads a file by its rows
	add := func(p compares) {
		if p.found = comparison.Of(p.lang, p.text); len(p.found) > 0 {
			parts = append(parts, p)
		}
		for _, name := range comparison.RowsFrom(p.lang, p.text) {
			rows[path.Join(e.Gate.Dir, name)], rows[path.Join(path.Dir(p.file.Path), name)] = p.text, p.text
		}
	}
	add(compares{lang: comparison.Shell, text: e.Gate.Run})
	for _, f := range files {
		if !proof.IsFile(f) || !slices.Contains(duties.Scripts, f.Path) || path.Ext(f.Path) == ".json" {
			continue
		}
		content, err := w.blob(ctx, f.ID)
		if err != nil {
			return nil, nil, err
		}
		p := compares{file: f, text: string(content), lang: proof.SourceLanguage(f.Path, string(content))}
		switch {
		case judge.IsMakefile(f.Path):
			p.lang = comparison.Make
		case p.lang == "":
			p.lang = comparison.Shell
		}
		add(p)
		if len(read) < mostScriptsTold {
			read = append(read, f.Path)
		}
	}
	parts, err = w.comparedData(ctx, parts, files, rows, duties)
	return parts, append([]string{"its command"}, read...), err
}

// comparedData adds the files of data with which the scripts and commands compare, whole or by
// their rows. Of the others one that is an input, too, would change what is compared with it.
func (w *Worker) comparedData(ctx context.Context, parts []compares, files []proof.File, rows map[string]string, duties judge.Duties) ([]compares, error) {
	for _, f := range files {
		script, inRows := rows[f.Path]
		named := strings.Count(duties.Texts, path.Base(f.Path))
		whole := slices.Contains(duties.Compared, f.Path) && (named == 1 || named == 0 && expects.MatchString(f.Path))
		if !proof.IsFile(f) || !inRows && !whole {
			continue
		}
		content, err := w.blob(ctx, f.ID)
		if err != nil {
			return nil, err
		}
		p, ok := compares{file: f, text: string(content)}, false
		if inRows {
			p.rows, ok = comparison.OtherRows(script, p.text)
			p.other = p.rows.Last
		} else {
			p.other, ok = comparison.OtherLine(p.text)
		}
		if ok {
			parts = append(parts, p)
		}
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
