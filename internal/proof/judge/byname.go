package judge

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

var (
	// helperName matches the name, in lower case, of a module or folder with what tests
	// compare by or with.
	helperName = lazyregexp.New(`^(?:(?:\w+[-_])?test[-_]?(?:utils?|helpers?|help|kit|support|lib|tools?|cases?|ing)|golden(?:[-_]?files?)?|snapshots?|approvals?|asserts?|asserting|assertions?|expect(?:s|ed|ations?)?|is|must|should|same|matchers?|mocks?|fakes?|stubs?|fixtures?|factories|samples?|(?:test[-_]?)?(?:data|vectors)|cases|examples|expected[-_]\w+|wanted|oracle)$`)
	// failsTests matches an interface of Go for what a test hands to its helpers.
	failsTests = lazyregexp.New(`\binterface\s*\{[^{}]*\b(?:Helper|FailNow)\(\)`)
	// specifier matches a text that may name a module of JavaScript or a package of Go.
	specifier = lazyregexp.New("[\"'`]([#@.\\w/-]+)[\"'`]")
	// imported matches the line of an import of Python.
	imported = lazyregexp.New(`(?m)^[ \t]*(?:import|from)[ \t][^\n]*`)
)

// namedHelper reports whether a source of the base helps tests by its name, and by who uses
// it: tests of other code import it, and no source of the product does. A module that only
// its own tests import is the product.
func (d *Diff) namedHelper(f proof.File) (bool, error) {
	lang := proof.LanguageOf(f.Path)
	if lang != "go" && lang != "js" && lang != "python" || !proof.IsFile(f) || !d.hasTests(lang) || !d.namesHelper(lang, f.Path) {
		return false, nil
	}
	sources, more, err := d.readingMost(mostUsers, func(q proof.File) bool { return proof.LanguageOf(q.Path) == lang && q.Path != f.Path })
	if err != nil || more {
		return false, err
	}
	module, used := moduleOf(lang, f.Path), false
	for _, q := range sources {
		data, err := d.Content(q.ID)
		if err != nil {
			return false, err
		}
		if !bytes.Contains(data, []byte(module)) {
			continue
		}
		this, others := d.uses(lang, string(data), module)
		_, test := d.isTest(q.Path)
		switch {
		case !this, lang == "go" && proof.DirOf(q.Path) == proof.DirOf(f.Path):
		case !test && !d.namesHelper(lang, q.Path):
			return false, nil
		case test:
			used = used || others || lang == "go"
		}
	}
	return used, nil
}

// namesHelper reports whether a path has the name of a helper of tests.
func (d *Diff) namesHelper(lang, p string) bool {
	stem := strings.ToLower(strings.TrimSuffix(path.Base(p), path.Ext(p)))
	return lang != "go" && helperName.MatchString(stem) || proof.Within(p, helperName.MatchString)
}

// moduleOf is the last part of the name by which others import a source.
func moduleOf(lang, p string) string {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if lang == "go" || stem == "index" || stem == "__init__" {
		return path.Base(proof.DirOf(p))
	}
	return stem
}

// uses reports whether a source imports a module, and whether it imports others of the base.
func (d *Diff) uses(lang, text, module string) (this, others bool) {
	if lang == "python" {
		own := d.OwnModules()
		for _, line := range imported.FindAllString(text, -1) {
			here, other := false, false
			for _, name := range syntax.Word.FindAllString(line, -1) {
				here = here || name == module
				other = other || own[name]
			}
			this, others = this || here, others || other && !here
		}
		// A list in brackets goes over several lines.
		listed := slices.ContainsFunc(syntax.PythonBindings(text), func(b syntax.Binding) bool { return b.Attr == module })
		return this || listed, others
	}
	for _, m := range specifier.FindAllStringSubmatch(text, -1) {
		last := path.Base(m[1])
		here := strings.ContainsAny(m[1], "/#") && (last == module || strings.TrimSuffix(last, path.Ext(last)) == module)
		this, others = this || here, others || !here && strings.HasPrefix(m[1], ".")
	}
	return this, others
}
