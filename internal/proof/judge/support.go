package judge

import (
	"path"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// testLibraries match the import of a library that only tests need, by language.
// Code that asks a test to fail is on its side, whatever its file is called.
var testLibraries = map[string]*lazyregexp.Regexp{
	"go":     lazyregexp.New(`(?m)^(?:import )?\s*(?:[\w.]+ )?"(?:testing|github\.com/stretchr/testify/\w+|gotest\.tools/[\w./]+|github\.com/onsi/gomega)"`),
	"python": lazyregexp.New(`(?m)^(?:import|from) (?:unittest|pytest|nose2?|testtools)\b`),
	"js":     lazyregexp.New(`['"](?:node:test|vitest|@jest/globals|@testing-library/[\w-]+|@playwright/test)['"]`),
}

// pythonTest matches a test in a module that imports a test library.
var pythonTest = lazyregexp.New(`(?m)^class \w+\([\w., ]*TestCase\b|^[ \t]*(?:async )?def test`)

// Supports reports whether a source of the base supports its tests: it imports a test
// library. Its file may lie beside the product and have any name. Where no file has the
// name of a test, it must hold some itself. A package of Python supports them as a whole
// where its __init__.py does.
func (d *Diff) Supports(f proof.File) (bool, error) {
	lang := proof.LanguageOf(f.Path)
	if init, here := d.Before[path.Join(proof.DirOf(f.Path), "__init__.py")]; here && lang == "python" && init.Path != f.Path && d.hasTests(lang) {
		if is, err := d.Supports(init); is || err != nil {
			return is, err
		}
	}
	library := testLibraries[lang]
	if library == nil || d.Untested || !proof.IsFile(f) || !d.hasTests(lang) && lang != "python" {
		return false, nil
	}
	data, err := d.Content(f.ID)
	if err != nil || len(data) > longestScript {
		return false, err
	}
	if !library.MatchString(string(data)) && (lang != "go" || !failsTests.MatchString(string(data))) {
		return false, nil
	}
	return d.hasTests(lang) || pythonTest.MatchString(string(data)), nil
}
