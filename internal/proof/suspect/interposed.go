package suspect

import (
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// preprocessed matches what the preprocessor of C reads in a file of any name.
var preprocessed = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(?:define|undef|pragma)[ \t]+[A-Za-z_]`)

// headersOf are those of the data that sources of C can include for their macros.
func headersOf(files map[string]proof.File, data []string, content func(id string) ([]byte, error)) (headers []source, err error) {
	hasC := false
	for p := range files {
		hasC = hasC || proof.LanguageOf(p) == "c"
	}
	if !hasC {
		return nil, nil
	}
	for _, p := range data {
		text, err := content(files[p].ID)
		if err != nil {
			return nil, err
		}
		if len(text) <= syntax.LongestSource && preprocessed.MatchString(string(text)) {
			headers = append(headers, source{p, "c"})
		}
	}
	return headers, nil
}

// macro matches a macro of C with parameters; its groups are the name, the parameters and the
// body.
var macro = lazyregexp.New(`^\s*#\s*define\s+(\w+)\(([^)]*)\)\s+(.+)$`)

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
