package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

var (
	pythonImports = lazyregexp.New(`^\s*(?:from\s+[\w.]+\s+)?import\s+([\w., ]+)$`)
	rustImports   = lazyregexp.New(`^\s*use\s+([\w:{}*, ]+)$`)
	// otherImports matches an import of one name, in Java of all types of a package, whose names
	// come after those that others give, and in Dart of a library.
	otherImports = lazyregexp.New(`^(?:(?:import|use)\s+(?:(?:static|function|const)\s+)?\\?(?:\w+[.\\])*(?:\w+\s+as\s+)?([A-Za-z]\w*)|import\s+[\w.]+\.\*|import\s+['"][^'"]+['"])$`)
	importedAs   = lazyregexp.New(`[\w$*]+\s+as\s+([\w$]+)`)
	lastPart     = lazyregexp.New(`([A-Za-z_$][\w$]*)\s*(?:[,}]|$)`)
	usedName     = lazyregexp.New(`(?:^|[^.\w$])([A-Za-z_$][\w$]*)`)
	textLine     = lazyregexp.New(`^\s*(?:(?:return|throw|assert|raise) )?"[^"]*"$`)
)

// importsOnly reports whether a new line before one of the base is an import and nothing else, of
// names that the code of the base does not have: they would take the place of what its tests use.
func (a *addition) importsOnly(line string, j int) bool {
	switch {
	case strings.TrimSpace(line) == "":
		return true
	case a.lang == "js":
		i, only := scriptImport(line)
		return only && !slices.ContainsFunc(i.Bindings(), func(b syntax.Binding) bool { return a.usedNames()[b.Name] })
	case !importLine.MatchString(line):
		return false
	case a.lang == "go":
		return !strings.Contains(line, "return ")
	case textLine.MatchString(line):
		return false // as in an import block of Go
	}
	line = strings.TrimSuffix(strings.TrimSpace(line), ";")
	var names []string
	switch a.lang {
	case "python":
		line, _, _ = strings.Cut(line, "#")
		m := pythonImports.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			return false
		}
		for _, name := range importedNames(importedAs.ReplaceAllString(m[1], "$1")) {
			name, _, _ = strings.Cut(name, ".")
			names = append(names, name)
		}
	case "rust":
		m := rustImports.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		for _, part := range lastPart.FindAllStringSubmatch(importedAs.ReplaceAllString(m[1], "$1"), -1) {
			names = append(names, part[1])
		}
	case "ruby", "elixir", "perl": // these imports run code
		return false
	default:
		m := otherImports.FindStringSubmatch(line)
		if m == nil || strings.HasSuffix(line, "*") && a.lang != "java" || a.lang == "php" && a.source().lines[j].depth > 0 { // a trait of a class
			return false
		}
		if names = append(names, a.fold(m[1])); !readable(a.lang) {
			return m[1] == "" || !a.words()[m[1]]
		}
	}
	used := a.usedNames()
	return !slices.ContainsFunc(names, func(name string) bool { return used[name] })
}

// scriptImport is the import of JavaScript that a line is, and nothing else. It computes no value.
func scriptImport(line string) (i syntax.Import, only bool) {
	line = strings.TrimRight(strings.TrimSpace(line), "; ")
	found := syntax.ScriptImports(line)
	if len(found) != 1 || found[0].Begin > 0 || found[0].End < len(line) || !declaresImport.MatchString(line) {
		return i, false
	}
	return found[0], !strings.ContainsAny(found[0].Names, "=([")
}

// declaresImport matches the beginning of an import that is a statement.
var declaresImport = lazyregexp.New(`^(?:import|const|let|var)\b`)

// usedNames are the names in the code of the base that are no fields of something.
func (a *addition) usedNames() map[string]bool {
	if a.used == nil {
		a.used = map[string]bool{}
		for _, m := range usedName.FindAllStringSubmatch(a.source().code, -1) {
			a.used[a.fold(m[1])] = true
		}
	}
	return a.used
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

// namedImport matches an import of names from one module: what is before the names, these,
// and what is after them in JavaScript.
var namedImport = lazyregexp.New(`^(from [\w.]+ import |(?:import|const|let|var) \{)([\w$, ]+)(|\}.*)$`)

// importsMore reports whether a line imports what the old one does and more names, which
// the old tests do not use.
func importsMore(old, line string, words map[string]bool) bool {
	had, has := namedImport.FindStringSubmatch(old), namedImport.FindStringSubmatch(line)
	if had == nil || has == nil || had[1] != has[1] || had[3] != has[3] {
		return false
	}
	if _, script := scriptImport(line); !script && had[3] != "" {
		return false
	}
	before, after := importedNames(had[2]), importedNames(has[2])
	return !slices.ContainsFunc(before, func(name string) bool { return !slices.Contains(after, name) }) &&
		!slices.ContainsFunc(after, func(name string) bool {
			return !slices.Contains(before, name) && (words[name] || !syntax.Identifier.MatchString(name) || strings.Contains(name, " "))
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
		for _, w := range syntax.Identifier.FindAllString(line, -1) {
			words[w] = true
		}
	}
	return words
}
