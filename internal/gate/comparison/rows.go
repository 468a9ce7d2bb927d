package comparison

import (
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	// rowsOfShell matches a loop that reads rows of a file: its last variable, and the file.
	rowsOfShell = lazyregexp.New(`(?s)\bread\s+(?:-\w+\s+)*(?:\w+[ \t]+)+(\w+)[ \t]*[;\n](.*?)\bdone\s*<\s*["']?([\w./-]+)`)
	catOfShell  = lazyregexp.New(`(?s)\bcat\s+["']?([\w./-]+)["']?\s*\|\s*while\b[^\n;]*?\bread\s+(?:-\w+\s+)*(?:\w+[ \t]+)+(\w+)[ \t]*[;\n](.*?)\bdone\b`)
	// rowsOfProgram matches the last name that the parts of a line get.
	rowsOfProgram = lazyregexp.New(`(?:^|[\s(\[])\*?\w+\s*,\s*(\w+)\s*[\])]?\s*(?:=[^=\n]*\.split\(|in\s+(?:csv\.reader\(|[^\n]*\.split\())`)
	fileOfRows    = lazyregexp.New(`["']([\w./-]+\.(?:txt|csv|tsv|dat|data|list|cases))["']`)
)

// RowsFrom returns the files whose rows a text reads one by one and compares what is last in each
// with what it is given, as the text names them.
func RowsFrom(lang, text string) (files []string) {
	switch {
	case !failsHere.MatchString(endsWell.ReplaceAllString(text, "")) && !asserts.MatchString(text):
	case lang == Shell || lang == Make:
		for _, m := range rowsOfShell.FindAllStringSubmatch(text, -1) {
			if comparesWith(Shell, m[1], m[2]) {
				files = append(files, m[3])
			}
		}
		for _, m := range catOfShell.FindAllStringSubmatch(text, -1) {
			if comparesWith(Shell, m[2], m[3]) {
				files = append(files, m[1])
			}
		}
	default:
		named := fileOfRows.FindAllStringSubmatch(text, -1)
		for _, m := range rowsOfProgram.FindAllStringSubmatch(text, -1) {
			if len(named) == 1 && comparesWith(lang, m[1], text) {
				return []string{named[0][1]}
			}
		}
	}
	return files
}

// comparesWith reports whether a text compares what it is given with a variable.
func comparesWith(lang, name, text string) bool {
	first, name, then := `[\w")\]}]\s*`, regexp.QuoteMeta(name)+`\b`, `[A-Za-z_]`
	if lang == Shell {
		first, name, then = `\$[^\n]*\s`, `"?\$\{?`+name+`\}?"?`, `"?\$`
	}
	const how = `\s*(?:===?|!==?|=|-eq|-ne)\s*`
	return regexp.MustCompile(first + how + name + `|` + name + how + then).MatchString(text)
}

// endsRows matches a text that may not read all rows of a file.
var endsRows = lazyregexp.New(`\b(?:break|head|tail|sed|awk|islice|uniq|sort)\b`)

// Rows are those of a file, with what a script is to see: another value at the end of the last row,
// at the end of the first one, and at the end of the file a copy of the first one with that value.
// First and Again are "" where the script may not read all rows, or the file has fewer than two.
type Rows struct{ Last, First, Again string }

// OtherRows changes the rows of a file that a script reads; ok is false where it has none.
func OtherRows(script, text string) (of Rows, ok bool) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n" // a shell leaves out a row without an end
	}
	rows := strings.TrimRight(text, " \t\r\n")
	if isComment(rows[strings.LastIndexByte(rows, '\n')+1:]) {
		return of, false
	}
	last, ok := OtherLine(text)
	if !ok {
		return of, false
	}
	of.Last = last
	first, rest, _ := strings.Cut(text, "\n")
	if other, changed := OtherLine(first); changed && strings.TrimSpace(rest) != "" && !isComment(first) && !endsRows.MatchString(script) {
		of.First, of.Again = other+"\n"+rest, text+other+"\n"
	}
	return of, true
}

func isComment(row string) bool { return strings.HasPrefix(strings.TrimSpace(row), "#") }
