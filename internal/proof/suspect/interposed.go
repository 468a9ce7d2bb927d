package suspect

import (
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// macro matches a macro of C with parameters; its groups are the name, the parameters and the
// body.
var macro = lazyregexp.New(`^\s*#\s*define\s+(\w+)\(([^)]*)\)\s*(.*)`)

// place is where a macro is used, as the preprocessor tells it.
var place = lazyregexp.New(`\b__(?:LINE|FILE|FILE_NAME|COUNTER|func|FUNCTION|PRETTY_FUNCTION)__\b`)

// interposedIn are the new macros that stand before a function of the same name, and give it
// the place of the call or the text of an argument: the function can read there what a test
// expects.
func interposedIn(file, lang, text string, old map[string]bool) (out []Finding) {
	if lang != "c" || len(text) > syntax.LongestSource {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(text, "\\\n", "\\\x00"), "\n")
	at := 1
	for _, line := range lines {
		n := at
		at += 1 + strings.Count(line, "\x00")
		m := macro.FindStringSubmatch(strings.ReplaceAll(line, "\\\x00", " "))
		if m == nil || old[strings.TrimSpace(strings.SplitN(line, "\\\x00", 2)[0])] || !regexp.MustCompile(`\b`+m[1]+`\s*\(`).MatchString(m[3]) {
			continue
		}
		if place.MatchString(m[3]) || strings.Contains(strings.ReplaceAll(m[3], "##", ""), "#") {
			out = append(out, Finding{Path: file, Line: n, What: findsCaller})
		}
	}
	return out
}
