package proof

import (
	"path"
	"strings"

	"ralph/internal/lazyregexp"
)

// unitTests matches the beginning of a module of unit tests in a file of Rust, up to
// its brace.
var unitTests = lazyregexp.New(`(?m)^[ \t]*#\[cfg\((?:test|(?:all|any)\([^\]\n]*\btest\b[^\]\n]*\))\)\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([a-z]+\))? )?mod (\w+)\s*\{`)

// testFunction matches the beginning of a test that stands in no module, up to its brace.
var testFunction = lazyregexp.New(`(?m)^(?:#\[[^\]\n]*\]\s*)*#\[(?:\w+::)*test\b[^\]\n]*\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub )?(?:async )?fn (\w+)\s*\([^)]*\)[^{;]*\{`)

// mergeRust returns the work's file with the modules of unit tests, single tests and
// examples of documentation that the base has in it as they are there: the file is the
// product, and these judge it. same: they are unchanged. What the work adds stays.
func mergeRust(base, work []byte) (merged []byte, same, ok bool) {
	old, now := unitModules(string(base)), unitModules(string(work))
	out, same := string(work), true
	for name, text := range old {
		switch have, still := now[name]; {
		case have == text:
		case still:
			out, same = strings.Replace(out, have, text, 1), false
		default:
			out, same = strings.TrimRight(out, "\n")+"\n\n"+text+"\n", false
		}
	}
	out, documented := mergeRustDocs(string(base), out)
	return []byte(out), same && documented, true
}

// unitModules are the modules of unit tests, and tests outside of them, by name, with
// their attributes.
func unitModules(source string) map[string]string {
	out := map[string]string{}
	for _, begin := range []*lazyregexp.Regexp{unitTests, testFunction} {
		for _, m := range begin.FindAllStringSubmatchIndex(source, -1) {
			if end := closing(source, m[1]); end > 0 {
				out[source[m[2]:m[3]]] = source[m[0]:end]
			}
		}
	}
	return out
}

// token of Rust that may hold braces which close nothing: comments, strings and
// characters.
var rustToken = lazyregexp.New(`(?s)//[^\n]*|/\*.*?\*/|r#+".*?"#+|r".*?"|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|[{}]`)

// closing returns where the brace that is open at from is closed, after it; 0 where it
// is not.
func closing(source string, from int) int {
	depth := 1
	for _, t := range rustToken.FindAllStringIndex(source[from:], -1) {
		switch source[from+t[0] : from+t[1]] {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return from + t[1]
			}
		}
	}
	return 0
}

// mergerOf returns how a changed file is merged that is not a judge as a whole.
func (d *diff) mergerOf(p string) (merger, error) {
	if path.Ext(p) == ".rs" {
		if _, test := isTest(p); !test && isFile(d.base[p]) && d.base[p].ID != "" && isFile(d.work[p]) && d.work[p].ID != "" {
			for _, is := range []func(File) (bool, error){d.declares, d.checks, d.helpsTests} {
				if whole, err := is(d.base[p]); whole || d.named[p] || err != nil {
					return nil, err
				}
			}
			return mergeRust, nil
		}
	}
	if _, had := d.base[p]; !had && path.Base(p) == "package.json" && manifestOf(p) != nil && d.hasScriptsBelow(dirOf(p)) {
		return mergeAddedPackage(p), nil
	}
	if path.Base(p) == "package.json" && manifestOf(p) != nil {
		if _, had := d.base[p]; !had {
			return d.mergeNewPackage(), nil
		}
		return d.mergePackageOf(p), nil
	}
	if _, test := isTest(p); isMakefile(p) && !test && isFile(d.work[p]) && d.work[p].ID != "" {
		if d.base[p].ID == "" || isFile(d.base[p]) {
			return d.mergerOfMakefile(p)
		}
	}
	if _, test := isTest(p); path.Base(p) == "go.work" && !test && d.base[p].ID != "" {
		return d.mergeGoWork(p)
	}
	if path.Base(p) == "pyproject.toml" && manifestOf(p) != nil {
		return d.mergerOfPyproject(p)
	}
	if _, had := d.base[p]; had && path.Base(p) == "Cargo.toml" && manifestOf(p) != nil {
		free, err := d.freeTOML(p)
		return mergeCargoWith(free), err
	}
	return manifestOf(p), nil
}

// hasScriptsBelow reports whether the base has sources of JavaScript in a folder or
// below it.
func (d *diff) hasScriptsBelow(dir string) bool {
	for p := range d.base {
		if languageOf(p) == "js" && (dir == "." || strings.HasPrefix(p, dir+"/")) {
			return true
		}
	}
	return false
}

// mergerOfPyproject: the settings of linters judge where the gate may run one.
func (d *diff) mergerOfPyproject(p string) (merger, error) {
	free, err := d.freeTOML(p)
	if err != nil {
		return nil, err
	}
	lints, err := d.mayLint()
	if lints || err != nil {
		return mergePyprojectWith(free, nil), err
	}
	return mergePyprojectWith(free, pyLinters), nil
}
