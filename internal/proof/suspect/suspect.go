package suspect

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// Limits of what is searched: the changed sources, and their bytes. A megabyte takes a second.
const (
	mostSuspectFiles = 1000
	mostSearched     = 4 << 20
)

// Find returns the suspect lines that the work adds to the product, by file and
// line, one for each line, after the files that are suspect as a whole: compiled code
// that it adds or changes, and files in the place of others. Lines that stood in a changed
// file of the base are old, wherever they are now; tests are left out. all is false where
// the work changes more sources than are searched, or one whose content is nil.
// duties are those of the gates: where one judges the text of the product, lines count, too,
// that silence it or waive types, and those that only a gate's switches compile.
func Find(base, work []proof.File, duties judge.Duties, content func(id string) ([]byte, error)) (found []Finding, all bool, err error) {
	before, after := proof.Index(base), proof.Index(work)
	old, known, carriage := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, p := range changedSources(before, after) {
		text, err := content(before[p].ID)
		if err != nil {
			return nil, false, err
		}
		syntax.AddLines(old, string(text))
		lang := proof.SourceLanguage(p, string(text))
		plain := syntax.InLines(lang, text)
		syntax.AddLines(old, plain)
		carriage[p] = syntax.OnlyCarriage(text)
		if len(text) > syntax.LongestSource {
			continue
		}
		syntax.AddLines(known, withoutUsual(lang, resolved(lang, toSearch(lang, plain))))
	}
	found, all, err = opaque(before, after, content)
	if err != nil {
		return nil, false, err
	}
	replaced, err := replacing(before, after, duties.Inspects || duties.ChecksTypes, content)
	if err != nil {
		return nil, false, err
	}
	found = append(found, replaced...)
	read, err := answers(before, after, content)
	if err != nil {
		return nil, false, err
	}
	samples, err := recognised(before, after, duties.Texts, content)
	if err != nil {
		return nil, false, err
	}
	found = append(append(found, read...), samples...)
	steers, whole, err := steering(before, after, content)
	if err != nil {
		return nil, false, err
	}
	found, all = append(found, steers...), all && whole
	left, err := unreached(before, after, duties.Task, content)
	if err != nil {
		return nil, false, err
	}
	none, err := missing(before, after, duties.Task, content)
	if err != nil {
		return nil, false, err
	}
	found = slices.Concat(found, left, none)
	helpers := newHelpers(before, after, content)
	optional, err := helpers.optional()
	if err != nil {
		return nil, false, err
	}
	found = append(found, optional...)
	own, data, testData := productModules(after), changedData(after, before), testDataOf(before)
	sources, err := runUnchanged(before, after, data, content)
	if err != nil {
		return nil, false, err
	}
	headers, err := headersOf(after, data, content)
	if err != nil {
		return nil, false, err
	}
	sources = append(sources, headers...)
	for _, p := range changedSources(after, before) {
		sources = append(sources, source{path: p})
	}
	total := 0
	searched := map[source]bool{}
	for len(sources) > 0 && len(searched) < mostSuspectFiles {
		next := sources[0]
		sources = sources[1:]
		read, err := content(after[next.path].ID)
		if err != nil {
			return nil, false, err
		}
		all = all && read != nil
		p := next.path
		lang := cmp.Or(next.lang, proof.SourceLanguage(p, string(read)))
		text := syntax.InLines(lang, read)
		if searched[source{p, lang}] {
			continue
		}
		searched[source{p, lang}] = true
		if len(text) > syntax.LongestSource {
			text = syntax.NewPart(text, old)
		}
		switch size := len(text) - strings.Count(text, "\n"); {
		case suspicions()[lang] == nil:
		case bytes.IndexByte(read, 0) >= 0: // grep and others take it for binary data
			found = append(found, Finding{Path: p, What: looksBinary})
			continue
		case size > syntax.LongestSource:
			found = append(found, Finding{Path: p, What: tooLarge})
			continue
		case total+size > mostSearched:
			all = false
			continue
		default:
			total += size
		}
		sources = append(append(sources, runsAsCode(p, lang, text, data)...), readIntoShell(lang, text, data)...)
		entry, err := helpers.isEntry(p, lang, text, duties.Texts)
		if err != nil {
			return nil, false, err
		}
		in := append(suspectsIn(p, lang, text, entry, known, own), lenientIn(p, text, old)...)
		if !carriage[p] {
			in = append(in, oddEndsIn(p, lang, read, old)...)
		}
		in = append(in, silencedIn(p, text, duties, old)...)
		in = append(append(in, stubs(p, lang, text, old)...), unreachable(p, lang, text, old)...)
		in = append(in, ignoresFailures(after[p], lang, text, old)...)
		in = append(in, switchedIn(p, lang, text, duties.Switches, old)...)
		in = append(append(in, leftOutIn(p, lang, text, duties.Texts, old)...), sharedNames(p, lang, text, duties.Texts, old)...)
		in = append(in, namesComparedIn(p, lang, text, duties.Compared, old)...)
		in = append(append(in, namesTestDataIn(p, lang, text, testData, old)...), interposedIn(p, lang, text, old)...)
		in = append(in, attributesIn(p, lang, text, duties.Texts, old)...)
		more, err := helpers.suspectsIn(after[p], lang, text, duties.Task, old)
		if err != nil {
			return nil, false, err
		}
		in = append(in, more...)
		slices.SortStableFunc(in, func(a, b Finding) int { return a.Line - b.Line })
		found = append(found, slices.CompactFunc(in, func(a, b Finding) bool { return a.Line == b.Line })...)
	}
	all = all && len(sources) == 0
	return found, all, nil
}

// changedSources are the sources of the product that the other commit does not have
// like this. A file without an extension may be a script.
func changedSources(files, other map[string]proof.File) []string {
	var out []string
	for _, p := range proof.SortedPaths(files) {
		if _, test := proof.IsTest(p); !test && files[p].ID != other[p].ID && proof.IsFile(files[p]) && (path.Ext(p) == "" || suspicions()[proof.LanguageOf(p)] != nil) {
			out = append(out, p)
		}
	}
	return out
}

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
	all := slices.Concat(everywhere, suspicions()[lang])
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
