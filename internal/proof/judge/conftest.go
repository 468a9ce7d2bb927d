package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A new conftest.py beside tests of the base that only offers fixtures which these do not ask
// for reaches none of them: pytest gives a fixture to the tests that name it.

// What a conftest.py may have, each at the margin: one that pytest calls by itself, or that
// runs as it is loaded, reaches all tests.
var (
	importsModules = lazyregexp.New(`^import [\w., ]+$`)
	importsNames   = lazyregexp.New(`^from ([\w.]+) import \(?\s*((?:\w+(?: as \w+)?[,\s]*)+)\)?$`)
	otherName      = lazyregexp.New(` as \w+`)
	marksFixture   = lazyregexp.New(`^@(?:pytest\.)?fixture(?:\((?:[^()]|\[\])*\))?$`)
	marksContext   = lazyregexp.New(`^@(?:contextlib\.)?(?:contextmanager|asynccontextmanager)$|^@(?:dataclasses\.)?dataclass(?:\([\w=, ]*\))?$`)
	beginsFunction = lazyregexp.New(`^(?:async )?def (\w+)\([^();]*\)\s*(?:->[^()=;]*)?:$`)
	beginsClass    = lazyregexp.New(`^class (\w+)(?:\((?:[\w.]+(?:\[[\w., ]+\])?)?\))?:$`)
	setsConstant   = lazyregexp.New(`^(\w+)\s*(?::[^=();]+)?=[^()=;]*$`)
	isText         = lazyregexp.New(`^[rRuU]?(?:"""(?:[^"\\]|\\(?s:.)|""?[^"])*"""|'''(?:[^'\\]|\\(?s:.)|''?[^'])*'''|"[^"\\\n]*"|'[^'\\\n]*')$`)
	// ownOfPytest matches fixtures of pytest and usual plugins on which others depend, and
	// names that pytest reads.
	ownOfPytest = lazyregexp.New(`^(?:_.*|pytest.*|collect_ignore\w*|tmp_?path\w*|tmpdir\w*|monkeypatch|cap(?:sys|fd|log)\w*|recwarn|request|cache|doctest_namespace|record_\w+|testdir|testrun_uid|worker_id|event_loop\w*|anyio_\w+|django_\w+|live_server|db|transactional_db|settings|socket_\w+)$`)
)

// offersFixtures reports whether a file is a new conftest.py in a folder where tests of the
// base are, which can only give fixtures to tests that ask for them, and those of the base do
// not.
func (d *Diff) offersFixtures(p string) bool {
	if path.Base(p) != "conftest.py" || proof.DirOf(p) == "." {
		return false
	}
	data, err := d.Content(d.After[p].ID)
	if err != nil || len(data) > syntax.LongestSource || syntax.OddEncoding.MatchString(string(data)) {
		return false
	}
	offers, only := fixturesOf(syntax.PlainSpelling("python", syntax.InLines("python", data)), d.plainImport)
	return only && d.hasTestsIn(proof.DirOf(p)) && d.asksForNone(offers)
}

// addsFixtures reports whether the work left a conftest.py as it is and added fixtures at its
// end for which it does not ask, nor do tests of the base. An import there would bind its names
// for what stands above, too.
func (d *Diff) addsFixtures(p string, base, work []byte) bool {
	added, atEnd := strings.CutPrefix(string(work), string(base))
	if !atEnd || len(base) > 0 && base[len(base)-1] != '\n' || len(work) > syntax.LongestSource || syntax.OddEncoding.MatchString(added) {
		return false
	}
	text := syntax.PlainSpelling("python", syntax.InLines("python", []byte(added)))
	all := syntax.Statements(syntax.WithoutComments("python", text))
	if len(all) == 0 || all[0].Indent > 0 || slices.ContainsFunc(all, func(s syntax.Statement) bool { return s.Indent == 0 && importing.MatchString(s.Text) }) {
		return false
	}
	names, only := fixturesOf(text, d.plainImport)
	return only && !lastsLonger.MatchString(text) && !wordsIn(names).Match(base) && d.asksForNone(names)
}

// lastsLonger matches what a fixture does or keeps beyond one test.
var lastsLonger = lazyregexp.New(`\bscope\s*=|\bglobal\b|(?:^|[^.\w])setattr\(|\bMonkeyPatch\b|__dict__|\bsys\.modules\b|(?m)^[ \t]+[A-Za-z_]\w*(?:\.\w+)+\s*=[^=]`)

var importing = lazyregexp.New(`^(?:import|from)\b`)

// wordsIn matches any of the names.
func wordsIn(names []string) *regexp.Regexp {
	return regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)\b`)
}

// fixturesOf are the names that a conftest.py defines; only is false where it may do more than
// offer them. plain reports whether a name of a module is no fixture.
func fixturesOf(text string, plain func(module, name string) bool) (names []string, only bool) {
	all := syntax.Statements(syntax.WithoutComments("python", text))
	for i := 0; i < len(all); i++ {
		s := all[i].Text
		if all[i].Indent > 0 {
			continue
		}
		switch {
		case isText.MatchString(s), importsModules.MatchString(s), marksFixture.MatchString(s) && !strings.Contains(s, "autouse") && !strings.Contains(s, "name"), marksContext.MatchString(s):
		case importsNames.MatchString(s):
			m := importsNames.FindStringSubmatch(s)
			for _, word := range strings.FieldsFunc(otherName.ReplaceAllString(m[2], ""), func(c rune) bool { return strings.ContainsRune(", \n\t", c) }) {
				if m[1] != "__future__" && !plain(m[1], word) {
					return nil, false
				}
			}
		case beginsFunction.MatchString(s):
			names = append(names, beginsFunction.FindStringSubmatch(s)[1])
		case setsConstant.MatchString(s):
			names = append(names, setsConstant.FindStringSubmatch(s)[1])
		case beginsClass.MatchString(s):
			names = append(names, beginsClass.FindStringSubmatch(s)[1])
			for _, in := range syntax.BlockOf(all, i) {
				if in.Indent == all[min(i+1, len(all)-1)].Indent && !isText.MatchString(in.Text) && !beginsFunction.MatchString(in.Text) && !setsConstant.MatchString(in.Text) && !plainInClass.MatchString(in.Text) {
					return nil, false
				}
			}
		default:
			return nil, false
		}
	}
	return names, !slices.ContainsFunc(names, ownOfPytest.MatchString)
}

// plainInClass matches other lines of a class that do nothing as it is loaded.
var plainInClass = lazyregexp.New(`^(?:pass|\.\.\.|@(?:property|staticmethod|classmethod)|\w+\s*:[^=();]+)$`)

// plainImport reports whether a name that a conftest.py imports is no fixture: a module, or
// what a module of the project declares that has none, or of others by their usual names.
func (d *Diff) plainImport(module, name string) bool {
	file := strings.ReplaceAll(strings.TrimLeft(module, "."), ".", "/")
	own := false
	for _, dir := range []string{"", "src/"} {
		for _, p := range []string{dir + path.Join(file, name) + ".py", dir + path.Join(file, name, "__init__.py")} {
			if _, is := d.After[p]; is {
				return true
			}
		}
		for _, p := range []string{dir + file + ".py", dir + path.Join(file, "__init__.py")} {
			if f, is := d.After[p]; is {
				own = true
				data, err := d.Content(f.ID)
				if err == nil && !strings.Contains(string(data), "fixture") && regexp.MustCompile(`(?m)^(?:async def|def|class) `+regexp.QuoteMeta(name)+`\b`).Match(data) {
					return true
				}
			}
		}
	}
	first, _, _ := strings.Cut(module, ".")
	return !own && !strings.HasPrefix(module, ".") && !strings.Contains(first, "pytest_") && !strings.HasPrefix(name, "pytest_") && !d.ownPackage(first)
}

// ownPackage reports whether the project has a package or module of this name.
func (d *Diff) ownPackage(name string) bool {
	for p := range d.After {
		if p == name+".py" || strings.HasPrefix(p, name+"/") || strings.HasPrefix(p, "src/"+name+"/") || p == "src/"+name+".py" {
			return true
		}
	}
	return false
}

// hasTestsIn reports whether tests of the base are in a folder.
func (d *Diff) hasTestsIn(dir string) bool {
	for p := range d.Before {
		if d.testsPython(p) && proof.DirOf(p) == dir {
			return true
		}
	}
	return false
}

// asksForNone reports whether the tests of the base have none of the names.
func (d *Diff) asksForNone(names []string) bool {
	word := wordsIn(names)
	for p, f := range d.Before {
		if !d.testsPython(p) {
			continue
		}
		data, err := d.Content(f.ID)
		if err != nil || len(names) > 0 && word.Match(data) {
			return false
		}
	}
	return true
}

func (d *Diff) testsPython(p string) bool {
	lang, test := d.isTest(p)
	return test && lang == "python" && path.Ext(p) == ".py"
}
