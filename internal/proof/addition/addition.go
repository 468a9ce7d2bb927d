package addition

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// addition compares a file of tests with the base's, line by line.
type addition struct {
	lang       string
	base, work []string
	toEnd      int     // the lines of the base that the work must have
	src        *source // the base; see the method
	ruby       []rubyLine
	used, had  map[string]bool
	safe       []string
	keys       map[int][]string // of new rows, by where their map is
}

// mostAdded bounds the rows and tests for which the base is searched for their place.
const mostAdded = 500

// literalHead matches what stands before a brace that begins a value, and no block.
func literalHead(lang string) *lazyregexp.Regexp {
	switch lang {
	case "go":
		return goLiteral
	case "rust":
		return rustLiteral
	}
	return otherLiteral
}

var (
	goLiteral    = lazyregexp.New(`\S$|[=(,:]\s*$|\breturn\s*$`)
	rustLiteral  = lazyregexp.New(`(?:[^=!<>]=|[(\[,:&]|\breturn)\s*[\w:]*\s*$`)
	otherLiteral = lazyregexp.New(`(?:[^=]=|[(\[,:]|\breturn)\s*$`)
)

// withoutEnds cuts off the ends of what the last tests stand in, where the same ones are in both
// versions: what is added before them may be tests. In a value it would be a part of that.
func (a *addition) withoutEnds() {
	base, work, end := a.base, a.work, -1
	for n := len(base) - 1; n >= 0 && len(work) > 0 && closingLine.MatchString(base[n]) && base[n] == work[len(work)-1] && !a.inValue(n); n-- {
		end, work = n, work[:len(work)-1]
	}
	if end >= 0 {
		base = base[:end]
	}
	for len(base) > 0 && strings.TrimSpace(base[len(base)-1]) == "" {
		base = base[:len(base)-1]
	}
	a.toEnd, a.work = len(base), work
}

// inValue reports whether a line of the base stands in a value.
func (a *addition) inValue(n int) bool {
	if !readable(a.lang) {
		return false
	}
	code := a.source().code
	open := openerBefore(code, a.source().lines[n].start)
	if open < 0 {
		return false
	}
	line := code[strings.LastIndex(code[:open], "\n")+1 : open]
	return code[open] != '{' || literalHead(a.lang).MatchString(line)
}

// only reports whether all that differs are lines that may be added.
func (a *addition) only() bool {
	keyed := slices.ContainsFunc(a.base, syntax.TableOfPairs.MatchString)
	above, same, found := "", 0, 0 // same is how many lines before this one are as on the base
	i, j := 0, 0
	for i < len(a.work) && j < a.toEnd {
		line := a.work[i]
		switch {
		case line == a.base[j], importsMore(a.base[j], line, a.words()), a.sameInTable(i, j):
			above = line
			i, j, same = i+1, j+1, same+1
			continue
		case a.isInside(j): // a comment may begin as the next one does
		case !tabular(a.lang) && !keyed && caseRow.MatchString(line) && caseRow.MatchString(above),
			a.addsCase(line, above, j), a.importsOnly(line, j), a.isRemark(line):
			i, same = i+1, 0
			continue
		}
		if found++; found > mostAdded || !readable(a.lang) && a.lang != "ruby" {
			return false
		}
		if tabular(a.lang) && !keyed && a.growsList(line, j) {
			i, j, same = i+1, j+1, 0
			continue
		}
		back, lines := a.addedHere(i, j, same, keyed)
		if lines == 0 {
			return false
		}
		i, j, same = i-back+lines, j-back, 0
	}
	return j == a.toEnd && !a.steers(a.work[i:]) && !a.setsImported()
}

// isInside reports whether a line of the base begins in a text or comment, or may do so.
func (a *addition) isInside(j int) bool {
	if a.lang == "ruby" {
		return a.isUnread(j)
	}
	return readable(a.lang) && (a.source().lines[j].inside || members(a.lang) && a.source().doubtful())
}

// addedHere looks for a row or a test that the work adds where it differs from the base, or some
// lines before it: one of several lines may begin as the next one does.
func (a *addition) addedHere(i, j, same int, keyed bool) (back, lines int) {
	for back = range min(same+1, mostRowLines) {
		r, ok := a.rowOf(a.work[i-back:])
		if ok && tabular(a.lang) && !(keyed && r.form != mapRow) && a.isBeside(r, i-back, j-back) && a.fits(r, i-back, j-back) {
			return back, r.lines
		}
		p, ok := a.pieceOf(a.work[i-back:])
		if ok && a.hasPlace(p, j-back) {
			return back, p.lines
		}
	}
	return 0, 0
}

// isBeside reports whether a row like a new one ends above it, or begins below it in the base.
func (a *addition) isBeside(r row, i, j int) bool {
	if next, ok := a.rowOf(a.base[j:]); ok && next.form == r.form {
		return true
	}
	for i > 0 && remark.MatchString(a.work[i-1]) {
		i--
	}
	for n := 1; n <= min(i, mostRowLines); n++ {
		if last, ok := a.rowOf(a.work[i-n:]); ok && last.lines == n {
			return last.form == r.form && strings.HasSuffix(strings.TrimSpace(a.work[i-1]), ",")
		}
	}
	return false
}

// fits reports whether a row that stands before a line of the base is one more case of a table.
func (a *addition) fits(r row, i, j int) bool {
	s := a.source()
	at := s.lines[j].start
	t, ok := tableAt(s, at)
	if !ok || s.lines[j].inside {
		return false
	}
	getsComma := i > 0 && j > 0 && a.work[i-1] == a.base[j-1]+","
	return (getsComma || separated(s.code[t.open:at])) && a.vouchesFor(t, r)
}

// namedValue matches a constant of Go among the values of a table.
var namedValue = lazyregexp.New(`[{,:]\s*(?:[a-z]\w*\.)?[A-Z]\w*\s*[,}]`)

// vouchesFor reports whether a table has the types that a row has, and not yet its key.
func (a *addition) vouchesFor(t caseTable, r row) bool {
	inside := t.text[t.open:t.end]
	for _, name := range r.types {
		if !strings.Contains(inside, " "+name+"{") && !strings.Contains(inside, "\t"+name+"{") && !strings.Contains(inside, " "+name+" {") {
			return false
		}
	}
	if r.named && !namedValue.MatchString(t.code[t.open:t.end+1]) {
		return false
	}
	if r.form != mapRow {
		return true
	}
	key, plain := plainKey(a.lang, r.key)
	keys, all := t.keys()
	if !all || !plain || strings.Contains(r.key, `\`) || keys[key] || t.code[t.open] != '{' || slices.Contains(a.keys[t.open], key) {
		return false
	}
	if a.keys == nil {
		a.keys = map[int][]string{}
	}
	a.keys[t.open] = append(a.keys[t.open], key)
	return true
}

// source is the base as it is read.
func (a *addition) source() *source {
	if a.src == nil {
		a.src = read(a.lang, a.base)
	}
	return a.src
}

// words are the names that the base has anywhere.
func (a *addition) words() map[string]bool {
	if a.had == nil {
		a.had = map[string]bool{}
		for w := range wordsOf(a.base) {
			a.had[a.fold(w)] = true
		}
	}
	return a.had
}

// isRemark reports whether a new line is a comment in words.
func (a *addition) isRemark(line string) bool {
	return tabular(a.lang) && remark.MatchString(line) && (firstOf(line) == "#") == (a.lang == "python") && !directive.MatchString(line)
}

// fold is a name as the language compares those of methods and classes.
func (a *addition) fold(name string) string {
	if a.lang == "php" {
		return strings.ToLower(name)
	}
	return name
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
	_, ok := a.rowOf(a.work[i+1:])
	return ok
}

// Lines that a file of tests may gain above its new tests, and those that may still
// follow them: the ends of what they stand in.
var (
	importLine = lazyregexp.New(`^\s*(?:(?:import|from|use)\s.*|(?:[\w.]+ )?"[\w./-]+"|)$`)
	// caseRow matches a case in a table of tests that has nothing but values, and no key, in
	// languages whose rows rowOf does not read.
	caseRow     = lazyregexp.New(`^\s*[{(\[]\s*(?:` + syntax.LiteralForm + `|true|false|True|False|None|nil|null)(?:\s*,\s*(?:` + syntax.LiteralForm + `|true|false|True|False|None|nil|null))+\s*[)}\]],$`)
	closingLine = lazyregexp.New(`^\s*(?:[)}\]]+[;,]?|if __name__ == .*:|(?:unittest|pytest)\.main\(.*\)|)$`)
)

// BringsOddEnds reports whether a version has line ends that a diff does not show, and the base none.
func BringsOddEnds(base, work []byte) bool {
	return syntax.OddEnds.FindIndex(work) != nil && syntax.OddEnds.FindIndex(base) == nil
}

// Only reports whether a file of tests has the tests of an earlier version as they were, and only
// others at its end or whole between them, with the imports that they need.
func Only(file string, base, work []byte) bool {
	text := importedBeside(string(base), string(work))
	return !BringsOddEnds(base, work) && AtEnd(languageOf(file), strings.Split(text, "\n"), strings.Split(string(work), "\n"))
}

// languageOf is a file's language; of those of the JVM, Java is one of its own.
func languageOf(file string) string {
	if strings.EqualFold(path.Ext(file), ".java") {
		return "java"
	}
	return proof.LanguageOf(file)
}

// AtEnd reports whether a version of a file has the lines of the base and others at its
// end, whole tests between them, imports, and rows of its tables.
func AtEnd(lang string, base, work []string) bool {
	a := addition{lang: lang, base: base, work: work}
	a.withoutEnds()
	return a.only()
}
