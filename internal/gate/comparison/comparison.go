// Package comparison finds where scripts and programs compare what they are given with a
// literal, and puts another one in its place.
//
// A gate that has only an exit code names no tests, so that a canary cannot be put beside them.
// With other values to compare with it must fail. Only lines count in which a comparison decides,
// as far as their form tells: they assert, or a failure stands behind it. What is compared with
// the machine, the arguments or an exit code stays, and so do the values 0 and 1.
//
// Whether such a line is reached at all is seen where the script fails there (Failing).
package comparison

import (
	"slices"
	"strings"

	"ralph/internal/gate/canary"
	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
	"ralph/internal/text/shell"
)

// The languages that are not of proof.LanguageOf.
const (
	Shell = "shell"
	Make  = "make"
)

// longestLine is the longest line that is looked at: a longer one was made by a tool.
const longestLine = 2000

// Comparison is a line that compares with a literal.
type Comparison struct {
	// Line counts from 1.
	Line int
	// Subject is the function or program that is asked there; "" where that is not known.
	Subject string
	// Certain: a script that comes to its end has been there, or the line is a row of a table
	// that it compares.
	Certain bool
	// other is the line with another literal, failing what goes before it so that the script
	// fails there; "" where nothing can.
	other, failing string
}

// Of returns the comparisons of a text in a language.
func Of(lang, text string) (found []Comparison) {
	if len(text) > syntax.LongestSource {
		return nil
	}
	t := newText(lang, text)
	for n := range t.lines {
		other, row := t.otherwise(n)
		if other == t.lines[n] {
			continue
		}
		c := Comparison{Line: n + 1, Subject: subject(t.lines[n]), Certain: row || t.certain(n), other: other}
		if !row {
			c.failing = t.failing(n)
		}
		found = append(found, c)
	}
	return found
}

// Otherwise is the text with other literals in these comparisons, which are its own.
func Otherwise(text string, of []Comparison) string {
	lines := strings.Split(text, "\n")
	for _, c := range of {
		lines[c.Line-1] = c.other
	}
	return strings.Join(lines, "\n")
}

// Failing is the text that fails at each of these comparisons, as far as it can be told to.
func Failing(text string, of []Comparison) string {
	lines := strings.Split(text, "\n")
	for _, c := range slices.Backward(of) {
		if c.failing != "" {
			lines[c.Line-1] = c.failing + "\n" + lines[c.Line-1]
		}
	}
	return strings.Join(lines, "\n")
}

// OtherLine changes the last line of a file of data with which commands compare.
func OtherLine(text string) (changed string, ok bool) {
	end := len(strings.TrimRight(text, " \t\r\n"))
	begin := strings.LastIndexByte(text[:end], '\n') + 1
	if begin == end || strings.ContainsRune(text, 0) {
		return text, false
	}
	other := canary.OtherValue(`"` + text[begin:end] + `"`)
	if other == "" {
		return text, false
	}
	return text[:begin] + other[1:len(other)-1] + text[end:], true
}

// text is one in which comparisons are looked for.
type text struct {
	lang  string
	lines []string
	// commands: it is one of a shell, or of make; stops: it ends at the first that fails.
	commands, stops bool
	// last is its last line, and ends the first that may end it well; both count from 0.
	last, ends int
	// readers are what reads the lines of here-documents.
	readers map[int]reader
	tables  tables
}

// reader is what reads a here-document.
type reader int

const (
	readByNone    reader = iota // no part of one
	readByProgram               // which runs it
	readByLoop                  // which fails for some of its rows
	readByOther
)

// aProgram matches a command that runs what it reads, aLoop the end of a loop that reads rows.
var (
	aProgram = lazyregexp.New(`\b(?:python3?|node|ruby|perl|php)\b`)
	aLoop    = lazyregexp.New(`\bdone\s*<<-?\s*\S+\s*$`)
)

// endsCondition matches the end of a condition of a shell.
var endsCondition = lazyregexp.New(`(?m)(?:^|;)\s*fi\b`)

func newText(lang, whole string) *text {
	t := &text{lang: lang, lines: strings.Split(whole, "\n"), commands: lang == Shell || lang == Make}
	t.last = len(strings.Split(strings.TrimRight(whole, " \t\r\n"), "\n")) - 1
	t.stops = lang == Shell && stopsAtFailure.MatchString(whole)
	t.ends = slices.IndexFunc(t.lines, func(line string) bool { return endsEarly.MatchString(line) })
	if t.ends < 0 {
		t.ends = len(t.lines)
	}
	t.tables = tablesOf(whole, t.commands)
	if t.commands {
		t.readers = t.readersOf()
	}
	return t
}

func (t *text) readersOf() map[int]reader {
	readers := map[int]reader{}
	for _, d := range shell.HereDocuments(t.lines) {
		by := readByOther
		switch command := t.lines[d.Line]; {
		case t.tables.reads && aLoop.MatchString(command):
			by = readByLoop
		case aProgram.MatchString(command):
			by = readByProgram
		}
		for n := d.First; n < d.End; n++ {
			readers[n] = by
		}
		readers[d.End] = readByOther
	}
	return readers
}

// otherwise is a line with other literals where it decides; row: it is one of a table.
func (t *text) otherwise(n int) (line string, row bool) {
	line = t.lines[n]
	code := strings.TrimSpace(line)
	if len(line) > longestLine || strings.HasPrefix(code, "#") || strings.HasPrefix(code, "//") || ofTheMachine.MatchString(code) || declares.MatchString(code) {
		return line, false
	}
	by := t.readers[n]
	if by == readByLoop {
		rows := replaceGroup(lastWord, line, 1)
		return rows, rows != line
	}
	if by != readByOther {
		below := strings.Join(t.lines[n:min(len(t.lines), n+conditionLines)], "\n")
		if at := endsCondition.FindStringSubmatchIndex(below); t.commands && at != nil {
			below = below[:at[0]]
		}
		below = endsWell.ReplaceAllString(below, "")
		other := line
		if t.commands && by == readByNone && t.tables.calls[firstWord(line)] == nil {
			other = inCommand(line, below, t.stops, n == t.last || t.lang == Make)
		}
		if other == line {
			other = inProgram(line, below)
		}
		if other != line {
			return other, false
		}
	}
	rows := t.tables.otherwise(line)
	return rows, rows != line
}

// asked matches what a line asks, noAnswer what is no part of the product.
var (
	asked    = lazyregexp.New(`\$\(+\s*(?:(?:sh|bash|python3?|node|ruby|perl|php|exec|env|timeout\s+\d+)\s+(?:-\w+\s+)*)*([\w./-]+)|([A-Za-z_]\w*)!?\(`)
	noAnswer = lazyregexp.New(`^(?i:assert|check|expect|verify|ensure|print|tobe|toequal|tostrict|equal|deep|strict|eq)|^(?:len|str|int|float|list|sorted|tuple|dict|set|repr|round|abs|all|any|range|exit|SystemExit|if|for|while|return|not|is|ok|strcmp|strncmp|String|Number|JSON|stringify|string|bool|echo|cat|printf|to_string|c_str|format)$`)
)

// subject is the function or program that a line asks.
func subject(line string) string {
	for _, m := range asked.FindAllStringSubmatch(line, -1) {
		if name := m[1] + m[2]; !noAnswer.MatchString(name) {
			return name
		}
	}
	return ""
}
