package proof

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// addition compares a file of tests with the base's, line by line.
type addition struct {
	lang       string
	base, work []string
	// text and code are the base's lines, as they are and masked.
	text, code string
	starts     []int // where its lines begin
	used       map[string]bool
}

// mostAddedRows bounds the rows for which the base is searched for their table.
const mostAddedRows = 500

// endsLiteral matches what stands before a bracket that begins a value.
var endsLiteral = lazyregexp.New(`(?:[=(\[,:]|\breturn)\s*$`)

// inTable reports whether the place behind the lines is inside of a value, to which anything
// that follows would belong.
func (a *addition) inTable(lines []string) bool {
	if maskOf(a.lang) == nil {
		return false
	}
	code := masked(a.lang, strings.Join(lines, "\n"))
	open := openerBefore(code, len(code))
	return open >= 0 && (code[open] != '{' || endsLiteral.MatchString(code[:open]))
}

// only reports whether all that differs are lines that may be added.
func (a *addition) only() bool {
	words, keyed := wordsOf(a.base), slices.ContainsFunc(a.base, tableOfPairs.MatchString)
	above, same, rows := "", 0, 0 // same is how many lines before this one are as on the base
	i, j := 0, 0
	for i < len(a.work) && j < len(a.base) {
		line := a.work[i]
		switch {
		case line == a.base[j], importsMore(a.base[j], line, words), a.sameInTable(i, j):
			above = line
			i, j, same = i+1, j+1, same+1
			continue
		case maskOf(a.lang) == nil && !keyed && caseRow.MatchString(line) && caseRow.MatchString(above),
			a.importsOnly(line):
			i, same = i+1, 0
			continue
		}
		if rows++; rows > mostAddedRows || maskOf(a.lang) == nil {
			return false
		}
		back, lines := a.addedRow(i, j, same, keyed)
		if lines == 0 {
			return false
		}
		i, j, same = i-back+lines, j-back, 0
	}
	return j == len(a.base)
}

// addedRow looks for a row that the work adds where it differs from the base, or some lines
// before it: a row of several lines may begin as the next one does.
func (a *addition) addedRow(i, j, same int, keyed bool) (back, lines int) {
	for back = range min(same+1, mostRowLines) {
		r, ok := rowOf(a.lang, a.work[i-back:])
		if ok && !(keyed && r.form != mapRow) && a.isBeside(r, i-back, j-back) && a.fits(r, j-back) {
			return back, r.lines
		}
	}
	return 0, 0
}

// isBeside reports whether a row like a new one ends above it, or begins below it in the base.
func (a *addition) isBeside(r row, i, j int) bool {
	if next, ok := rowOf(a.lang, a.base[j:]); ok && next.form == r.form {
		return true
	}
	for n := 1; n <= min(i, mostRowLines); n++ {
		if last, ok := rowOf(a.lang, a.work[i-n:]); ok && last.lines == n {
			return last.form == r.form && strings.HasSuffix(strings.TrimSpace(a.work[i-1]), ",")
		}
	}
	return false
}

// fits reports whether a row that stands before a line of the base is one more case of a table.
func (a *addition) fits(r row, j int) bool {
	a.read()
	t, ok := tableAt(a.lang, a.text, a.code, a.starts[j])
	if !ok {
		return false
	}
	inside := a.text[t.open:t.end]
	for _, name := range r.types {
		if !strings.Contains(inside, " "+name+"{") && !strings.Contains(inside, "\t"+name+"{") && !strings.Contains(inside, " "+name+" {") {
			return false
		}
	}
	if r.form != mapRow {
		return true
	}
	key, plain := plainKey(a.lang, r.key)
	keys, all := t.keys()
	return all && plain && !strings.Contains(r.key, `\`) && !keys[key] && a.code[t.open] == '{'
}

func (a *addition) read() {
	if a.starts != nil {
		return
	}
	a.text = strings.Join(a.base, "\n")
	if a.code = a.text; maskOf(a.lang) != nil {
		a.code = masked(a.lang, a.text)
	}
	at := 0
	for _, line := range a.base {
		a.starts = append(a.starts, at)
		at += len(line) + 1
	}
}

// keyGap matches the beginning of an entry of a map, whose value the formatter of Go aligns
// with others.
var keyGap = lazyregexp.New(`^(\s*(?:"(?:[^"\\\n]|\\.)*"|-?\d+|'[^'\\]'):)[ \t]+`)

// sameInTable reports whether a line is that of the base but for its place: its value is
// aligned with a longer key's, or a row follows what was the last one.
func (a *addition) sameInTable(i, j int) bool {
	line, old := a.work[i], a.base[j]
	if a.lang == "go" && keyGap.MatchString(line) && keyGap.ReplaceAllString(line, "$1 ") == keyGap.ReplaceAllString(old, "$1 ") {
		return true
	}
	if line != old+"," || j+1 >= len(a.base) || !strings.ContainsAny(firstOf(a.base[j+1]), ")]}") || i+1 >= len(a.work) {
		return false
	}
	_, ok := rowOf(a.lang, a.work[i+1:])
	return ok
}
