package addition

import (
	"slices"

	"ralph/internal/lazyregexp"
)

// Imports that bind a module or what it offers, by their names.
var (
	importsOf = map[string]*lazyregexp.Regexp{
		"python": lazyregexp.New(`^\s*(?:import|from\s+[\w.]+\s+import)\s+([\w., ]+)`),
		"js":     lazyregexp.New(`^\s*(?:import\s+(?:type\s+)?([\w$*{}, ]+?)\s+from\b|(?:const|let|var)\s+([\w$*{}, :]+?)\s*=\s*(?:await\s+import|require)\()`),
	}
	// setsMember matches an assignment to a member of a name, and a name of the module that a
	// function of Python sets.
	setsMember = lazyregexp.New(`(?:^|[;:{(]\s*|=>\s*)\s*([A-Za-z_$][\w$]*)(?:\.[\w$]+)+\s*(?:[-+*/|&]?=(?:[^=>]|$))`)
	setsGlobal = lazyregexp.New(`^\s*global\s`)
)

// setsImported reports whether new lines give a member of something imported another value, or
// in Python a name of the module: that lasts longer than a test.
func (a *addition) setsImported() bool {
	of := importsOf[a.lang]
	if of == nil {
		return false
	}
	imported, old := map[string]bool{}, map[string]bool{}
	for _, line := range a.base {
		old[line] = true
	}
	for _, line := range a.work {
		if m := of.FindStringSubmatch(line); m != nil {
			for name := range wordsOf(m[1:]) {
				imported[name] = true
			}
		}
	}
	return slices.ContainsFunc(a.work, func(line string) bool {
		if old[line] {
			return false
		}
		m := setsMember.FindStringSubmatch(line)
		return m != nil && imported[m[1]] || a.lang == "python" && setsGlobal.MatchString(line)
	})
}
