package addition

import (
	"slices"
	"strings"

	"ralph/internal/proof/syntax"
)

// growsList reports whether a line is that of the base but for literals that the list of cases
// gained which has its entries in this line.
func (a *addition) growsList(line string, j int) bool {
	s, now := a.source(), read(a.lang, []string{line})
	start, end := s.lines[j].start, s.end(j)
	if s.lines[j].inside || j+1 < len(s.lines) && s.lines[j+1].inside || s.lines[j].doubt || now.lines[0].doubt || len(line) > longestRow {
		return false
	}
	same := 0
	for same < len(line) && start+same < end && line[same] == s.text[start+same] {
		same++
	}
	for open := openerBefore(s.code, start+same); open >= 0; open = openerBefore(s.code, open) {
		begin := max(open+1-start, 0)
		old, oldRest := entriesOf(s.code[start:end], s.text[start:end], begin)
		entries, rest := entriesOf(now.code, line, begin)
		t, ok := tableAt(s, open+1)
		if open < start && !separated(s.code[open:start]) || rest == "" && !endsEntries(s, j, line) {
			return false // its first or last entry may stand in two lines
		}
		if ok && oldRest == rest && a.gains(t, old, entries) {
			return true
		}
		if open < start {
			return false
		}
	}
	return false
}

// separated reports whether an entry of a list may begin behind code.
func separated(code string) bool {
	code = strings.TrimSpace(code)
	return len(code) == 1 || strings.HasSuffix(code, ",")
}

// endsEntries reports whether the entries in a line end there, as they do on the base.
func endsEntries(s *source, j int, line string) bool {
	if strings.HasSuffix(s.codeOf(j), ",") {
		return strings.HasSuffix(strings.TrimSpace(line), ",")
	}
	return j+1 < len(s.lines) && strings.ContainsAny(firstOf(s.codeOf(j+1)), ")]}")
}

// entriesOf are the entries of a list from a place of a line up to its end or that of the line, and
// what follows.
func entriesOf(code, text string, begin int) (entries []string, rest string) {
	depth, at := 0, begin
	for ; at < len(code); at++ {
		if depth += bracketStep(code[at]); depth < 0 {
			break
		}
		if depth == 0 && code[at] == ',' {
			entries = append(entries, strings.TrimSpace(text[begin:at]))
			begin = at + 1
		}
	}
	if last := strings.TrimSpace(text[begin:at]); last != "" {
		entries = append(entries, last)
	}
	return entries, text[at:]
}

// gains reports whether a list has the entries that it had, in their order, and others that are
// literals like them.
func (a *addition) gains(t caseTable, old, entries []string) bool {
	var forms []string
	for _, e := range old {
		form := a.formOf(e).form
		if form == "" && strings.ContainsAny(firstOf(e), "([{") {
			form = firstOf(e) // of what is no literal itself
		}
		forms = append(forms, form)
	}
	for _, e := range entries {
		if len(old) > 0 && e == old[0] {
			old = old[1:]
			continue
		}
		r := a.formOf(e)
		if r.form == "" || !slices.Contains(forms, r.form) || !a.vouchesFor(t, r) {
			return false
		}
	}
	return len(old) == 0
}

// formOf reads an entry of a list; its form is "" where it is no literal.
func (a *addition) formOf(text string) row {
	tokens, ok := rowTokens(a.lang, text)
	p := rowParser{lang: a.lang, calls: a.calls(), left: tokens}
	if !ok || len(tokens) == 0 || !p.element() || len(p.left) > 0 {
		return row{}
	}
	return p.row
}

// standardValues are functions of Python's library that give a value and do nothing else.
func standardValues() []string {
	return []string{
		"datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta", "decimal.Decimal", "fractions.Fraction",
		"pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath", "uuid.UUID",
	}
}

// calls are the names by which the base has the functions of standardValues.
func (a *addition) calls() []string {
	if a.lang != "python" || a.safe != nil {
		return a.safe
	}
	a.safe = []string{}
	bound := syntax.PythonBindings(strings.Join(a.base, "\n"))
	for _, b := range bound {
		twice := func(other syntax.Binding) bool { return other.Name == b.Name && other != b }
		if slices.ContainsFunc(bound, twice) {
			continue
		}
		for _, full := range standardValues() {
			if rest, found := strings.CutPrefix(full, b.Full()); found && (rest == "" || rest[0] == '.') {
				a.safe = append(a.safe, b.Name+rest)
			}
		}
	}
	return a.safe
}
