package proof

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// Lines that a file of tests may gain above its new tests, and those that may still
// follow them: the ends of what they stand in.
var (
	importLine = lazyregexp.New(`^\s*(?:(?:import|from|use)\s.*|(?:[\w.]+ )?"[\w./-]+"|(?:const|var|let) [\w{}, ]+ = require\(['"][\w@./:-]+['"]\);?|)$`)
	// caseRow matches a case in a table of tests that has nothing but values, and no key, in
	// languages whose rows rowOf does not read.
	caseRow     = lazyregexp.New(`^\s*[{(\[]\s*(?:` + literalForm + `|true|false|True|False|None|nil|null)(?:\s*,\s*(?:` + literalForm + `|true|false|True|False|None|nil|null))+\s*[)}\]],$`)
	closingLine = lazyregexp.New(`^\s*(?:[)}\]]+[;,]?|if __name__ == .*:|(?:unittest|pytest)\.main\(.*\)|)$`)
)

// onlyAdds reports whether the work left the tests of a file as they are and added
// others at its end, with the imports that they need. Like a new file of tests it
// takes nothing from what the base's tests find. So it is with unit tests of Rust in a file of
// the product. A gate of coverage counts the tests
// of the work, so that a person should see which files they are in.
func (d *diff) onlyAdds(p string) (bool, error) {
	was, now := d.base[p], d.work[p]
	if d.Gate.Kind == loop.KindCoverage || isConfig(p) || languageOf(p) == "" || d.protects(p) || was.ID == "" || now.ID == "" || was.Mode != now.Mode || !isFile(now) {
		return false, nil
	}
	_, test := d.isTest(p)
	if !test && path.Ext(p) != ".rs" {
		return false, nil
	}
	base, err := d.Content(was.ID)
	if err != nil {
		return false, err
	}
	work, err := d.Content(now.ID)
	if err != nil {
		return false, err
	}
	if test {
		return OnlyAdds(p, base, work), nil
	}
	if bringsOddEnds(base, work) {
		return false, nil
	}
	m, err := d.mergerOf(p)
	return m != nil && addsUnitTests(string(base), string(work)), err
}

func bringsOddEnds(base, work []byte) bool {
	return oddEnds.FindIndex(work) != nil && oddEnds.FindIndex(base) == nil
}

// OnlyAdds reports whether a file of tests has the tests of an earlier version as they were,
// and only others at its end, with the imports that they need.
func OnlyAdds(file string, base, work []byte) bool {
	text := importedBeside(string(base), string(work))
	return !bringsOddEnds(base, work) && addsAtEnd(languageOf(file), strings.Split(text, "\n"), strings.Split(string(work), "\n"))
}

// loneImport matches an import of Go that stands alone.
var loneImport = lazyregexp.New(`(?m)^import (?:[\w.]+ )?"[^"\n]+"$`)

// importedBeside is a source of Go whose lone imports stand in brackets where another version
// has them so, beside others.
func importedBeside(text, other string) string {
	return loneImport.ReplaceAllStringFunc(text, func(line string) string {
		if strings.Contains("\n"+other, "\n"+line+"\n") {
			return line
		}
		return "import (\n\t" + strings.TrimPrefix(line, "import ") + "\n)"
	})
}

// addsUnitTests reports whether a file of Rust, whose examples are as they were, has the
// unit tests of an earlier version, and only others at the end of their modules.
func addsUnitTests(base, work string) bool {
	now := unitModules(work)
	for name, module := range unitModules(base) {
		if now[name] != module && !addsAtEnd("rust", strings.Split(module, "\n"), strings.Split(now[name], "\n")) {
			return false
		}
	}
	_, documented := mergeRustDocs(base, work)
	return documented
}

// addsAtEnd reports whether a version of a file has the lines of the base and others at its
// end, imports, and rows of its tables.
func addsAtEnd(lang string, base, work []string) bool {
	a := addition{lang: lang, base: base, work: work}
	a.withoutEnds()
	return a.only()
}

// namedImport matches an import of names from one module: what is before the names, these,
// and what is after them.
var namedImport = lazyregexp.New(`^(from [\w.]+ import |import \{|(?:const|let|var) \{)([\w$, ]+)(|\} from ['"][\w@./:-]+['"];?|\} = require\(['"][\w@./:-]+['"]\);?)$`)

// importsMore reports whether a line imports what the old one does and more names, which
// the old tests do not use.
func importsMore(old, line string, words map[string]bool) bool {
	had, has := namedImport.FindStringSubmatch(old), namedImport.FindStringSubmatch(line)
	if had == nil || has == nil || had[1] != has[1] || had[3] != has[3] {
		return false
	}
	before, after := importedNames(had[2]), importedNames(has[2])
	return !slices.ContainsFunc(before, func(name string) bool { return !slices.Contains(after, name) }) &&
		!slices.ContainsFunc(after, func(name string) bool {
			return !slices.Contains(before, name) && (words[name] || !identifier.MatchString(name) || strings.Contains(name, " "))
		})
}

func importedNames(list string) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func wordsOf(lines []string) map[string]bool {
	words := map[string]bool{}
	for _, line := range lines {
		for _, w := range identifier.FindAllString(line, -1) {
			words[w] = true
		}
	}
	return words
}
