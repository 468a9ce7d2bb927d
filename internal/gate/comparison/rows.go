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

// skipsRows matches a text that may leave rows out, or end before the last of them.
var skipsRows = lazyregexp.New(`\b(?:continue|break|case|head|tail|sed|awk|next|islice)\b`)

// OtherRow changes what is last in the last row of a file.
func OtherRow(text string) (changed string, ok bool) {
	rows := strings.TrimRight(text, " \t\r\n")
	if isComment(rows[strings.LastIndexByte(rows, '\n')+1:]) {
		return text, false
	}
	return OtherLine(text)
}

// OtherFirstRow changes what is last in the first row of a file that has several and is read
// whole by a script; "" where that is not so.
func OtherFirstRow(script, text string) string {
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(rest) == "" || isComment(first) || skipsRows.MatchString(script) {
		return ""
	}
	other, ok := OtherLine(first)
	if !ok {
		return ""
	}
	return other + "\n" + rest
}

func isComment(row string) bool { return strings.HasPrefix(strings.TrimSpace(row), "#") }
