package suspect

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// suspicion is what lines of a language do that match a pattern.
type suspicion struct {
	pattern *lazyregexp.Regexp
	what    string
	// program: usual in files that are programs, where it does not count.
	program bool
}

// programs match a file that is the main part of a program.
var programs = map[string]*lazyregexp.Regexp{
	"go":     lazyregexp.New(`(?m)^package main\b`),
	"python": lazyregexp.New(`(?m)__main__|^#!|\bargparse\b|^def main\(`),
	"js":     lazyregexp.New(`^#!|require\.main\b|import\.meta\.main\b|\bprocess\.argv\b`),
	"rust":   lazyregexp.New(`(?m)^(?:pub )?(?:async )?fn main\(`),
	"ruby":   lazyregexp.New(`^#!|\$PROGRAM_NAME|\$0\b`),
	"php":    lazyregexp.New(`^#!`),
	"jvm":    lazyregexp.New(`\bvoid main\(|\bfun main\(`),
	"c":      lazyregexp.New(`\bmain\s*\(`),
	"perl":   lazyregexp.New(`^#!|\b(?:main|run)\(\s*@ARGV|\bunless caller\b`),
}

// suspectsIn are the suspect lines of one file. known are the lines of the base, with
// what they import resolved; a program starts by an entry.
func suspectsIn(file, lang, text string, entry bool, known, own map[string]bool) []Finding {
	var out []Finding
	if suspicions()[lang] == nil {
		return nil
	}
	if lang == "rust" {
		for _, module := range syntax.UnitModules(text) {
			text = strings.Replace(text, module, strings.Repeat("\n", strings.Count(module, "\n")), 1)
		}
	}
	text = toSearch(lang, text)
	plain := withoutUsual(lang, resolved(lang, text))
	var whole strings.Builder
	for _, l := range logicalLines(lang, strings.Join(syntax.CodeLines(lang, strings.Split(plain, "\n")), "\n")) {
		whole.WriteString(l.text + "\n")
	}
	joined := withoutUsual(lang, resolved(lang, whole.String()))
	either := func(r *lazyregexp.Regexp) bool {
		return r.MatchString(text) || plain != text && r.MatchString(plain) || r.MatchString(joined)
	}
	program := entry || programs[lang] != nil && either(programs[lang]) || path.Base(file) == "__main__.py"
	all := slices.Clone(suspicions()[lang])
	if search := searches(lang, plain); search != nil {
		all = append(all, *search)
	}
	seen := slices.DeleteFunc(all, func(s suspicion) bool { return s.program && program || !either(s.pattern) })
	if patch := patches(lang, text, own); patch != nil {
		seen = append(seen, *patch)
	}
	if at := syntax.OddEncoding.FindIndex([]byte(text)); lang == "python" && at != nil {
		out = append(out, Finding{Path: file, Line: 1 + strings.Count(text[:at[1]], "\n"), What: changesCode})
	}
	if len(seen) == 0 {
		return out
	}
	written, full := append(strings.Split(text, "\n"), ""), append(strings.Split(plain, "\n"), "")
	code := [][]string{syntax.CodeLines(lang, written), syntax.CodeLines(lang, full)}
	for n, line := range full[:len(full)-1] {
		if known[strings.TrimSpace(line)] {
			continue
		}
		what := ""
		for i, lines := range [][]string{written, full} {
			what = cmp.Or(what, suspect(seen, code[i][n], lines[n+1]))
		}
		if what != "" {
			out = append(out, Finding{Path: file, Line: n + 1, What: what})
		}
	}
	return append(out, suspectsJoined(file, lang, plain, seen, known)...)
}

// suspect returns what a line does, together with the next one.
func suspect(seen []suspicion, line, next string) string {
	for _, s := range seen {
		if at := s.pattern.FindIndex([]byte(line + "\n" + next)); at != nil && at[0] < max(len(line), 1) {
			return s.what
		}
	}
	return ""
}
