package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

var (
	pythonImports = lazyregexp.New(`^\s*(?:from\s+[\w.]+\s+)?import\s+([\w., ]+)$`)
	scriptImports = lazyregexp.New(`^\s*(?:import\s+(?:type\s+)?([\w$*{}, ]+?)\s+from\s+['"][^'"]+['"]|import\s+['"][^'"]+['"]|(?:const|let|var)\s+([\w$*{}, ]+)=[^=]*)$`)
	rustImports   = lazyregexp.New(`^\s*use\s+([\w:{}*, ]+)$`)
	importedAs    = lazyregexp.New(`[\w$*]+\s+as\s+([\w$]+)`)
	lastPart      = lazyregexp.New(`([A-Za-z_$][\w$]*)\s*(?:[,}]|$)`)
	usedName      = lazyregexp.New(`(?:^|[^.\w$])([A-Za-z_$][\w$]*)`)
	textLine      = lazyregexp.New(`^\s*(?:(?:return|throw|assert|raise) )?"[^"]*"$`)
)

// importsOnly reports whether a new line is an import and nothing else, of names that the code
// of the base does not have: they would take the place of what its tests use.
func (a *addition) importsOnly(line string) bool {
	if !importLine.MatchString(line) {
		return false
	}
	if a.lang == "go" || strings.TrimSpace(line) == "" {
		return !strings.Contains(line, "return ")
	}
	if textLine.MatchString(line) {
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
	case "js":
		m := scriptImports.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		names = syntax.Identifier.FindAllString(importedAs.ReplaceAllString(m[1]+m[2], "$1"), -1)
	case "rust":
		m := rustImports.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		for _, part := range lastPart.FindAllStringSubmatch(importedAs.ReplaceAllString(m[1], "$1"), -1) {
			names = append(names, part[1])
		}
	}
	used := a.usedNames()
	return !slices.ContainsFunc(names, func(name string) bool { return used[name] })
}

// usedNames are the names in the code of the base that are no fields of something.
func (a *addition) usedNames() map[string]bool {
	if a.used == nil {
		a.used = map[string]bool{}
		for _, m := range usedName.FindAllStringSubmatch(a.source().code, -1) {
			a.used[m[1]] = true
		}
	}
	return a.used
}
