package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

var (
	// setsMember matches an assignment to a member of a name, and a name of the module that a
	// function of Python sets.
	setsMember = lazyregexp.New(`(?:^|[;:{(]\s*|=>\s*)\s*([A-Za-z_$][\w$]*)(?:\.[\w$]+)+\s*(?:[-+*/|&]?=(?:[^=>]|$))`)
	setsGlobal = lazyregexp.New(`^\s*global\s`)
)

// setsImported reports whether new lines give a member of something imported another value, or
// in Python a name of the module: that lasts longer than a test.
func (a *addition) setsImported() bool {
	if a.lang != "python" && a.lang != "js" {
		return false
	}
	imported, old := map[string]bool{}, map[string]bool{}
	for _, line := range a.base {
		old[line] = true
	}
	for _, b := range syntax.Bindings(a.lang, strings.Join(a.work, "\n")) {
		imported[b.Name] = true
	}
	return slices.ContainsFunc(a.work, func(line string) bool {
		if old[line] {
			return false
		}
		m := setsMember.FindStringSubmatch(line)
		return m != nil && imported[m[1]] || a.lang == "python" && setsGlobal.MatchString(line)
	})
}
