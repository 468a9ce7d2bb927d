package ratchet

import (
	"maps"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// goneCases decides about tests that failed on the base and do not pass under their
// names. The names of cases, which are subtests of Go and parameters of pytest, can
// hold what was wrong, so that another name can be the same case. They can also come
// from the product, and the work can have removed the one that failed.
type goneCases struct {
	// ran are the tests of the work with any outcome.
	ran map[string]bool
	// passed and fresh are the names of passing cases by their test: all, and those
	// that the base does not have.
	passed, fresh map[string][]string
}

func newGoneCases(base, work Names) *goneCases {
	g := &goneCases{ran: map[string]bool{}, passed: map[string][]string{}, fresh: map[string][]string{}}
	old := map[string]bool{}
	for _, t := range base {
		old[t.Name] = true
	}
	for _, t := range work {
		g.ran[t.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(work.With(TestPassed))) {
		test := testOf(name)
		g.passed[test] = append(g.passed[test], name)
		if !old[name] {
			g.fresh[test] = append(g.fresh[test], name)
		}
	}
	return g
}

// kept reports whether the work still runs a failed test of the base, and it passes
// there. For a test it is enough that one of its cases passes. A case has cases of its
// own, or another name: a new one like its own, which stands for no other.
func (g *goneCases) kept(name string) bool {
	test := testOf(name)
	if name == test {
		return len(g.passed[test]) > 0
	}
	if g.ran[name] {
		return false
	}
	if slices.ContainsFunc(g.passed[test], func(n string) bool { return strings.HasPrefix(n, name+"/") }) {
		return true
	}
	for _, like := range []func(a, b string) bool{sameButNumbers, shareWord} {
		i := slices.IndexFunc(g.fresh[test], func(n string) bool { return like(n[len(test):], name[len(test):]) })
		if i >= 0 {
			g.fresh[test] = slices.Delete(g.fresh[test], i, i+1)
			return true
		}
	}
	return false
}

var (
	digits = lazyregexp.New(`[0-9]+`)
	words  = lazyregexp.New(`\pL[\pL\pN]*`)
)

func sameButNumbers(a, b string) bool {
	return digits.ReplaceAllString(a, "0") == digits.ReplaceAllString(b, "0")
}

func shareWord(a, b string) bool {
	of := words.FindAllString(a, -1)
	return slices.ContainsFunc(words.FindAllString(b, -1), func(w string) bool { return slices.Contains(of, w) })
}
