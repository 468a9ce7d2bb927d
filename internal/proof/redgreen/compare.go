package redgreen

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/ratchet"
	"ralph/internal/text"
)

// ProvingGates are the gates that can show that something fails without the work, the ones
// that name tests first.
func ProvingGates(gates []loop.Gate) []loop.Gate {
	var out []loop.Gate
	for _, g := range gates {
		if g.Proves() {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b loop.Gate) int { return rank(a.Kind) - rank(b.Kind) })
	return out
}

func rank(k loop.Kind) int {
	return slices.Index([]loop.Kind{loop.KindTests, loop.KindCommand, loop.KindCoverage}, k)
}

// Product are the changed paths that the work is about: neither tests with what
// belongs to them, nor the manifests that the tests need to run.
func Product(changed []string) []string {
	return slices.DeleteFunc(slices.Clone(changed), KeptWithTests)
}

// Compared is what one gate showed without the work.
type Compared struct {
	Red   loop.Red
	Tests []string
	Why   string
	// Named are all tests that fail, also those that fail for a name.
	Named []string
}

// mostTests bounds the list of red tests.
const mostTests = 50

// PassesWithout is what a gate does that shows nothing.
const PassesWithout = "also passes without the work's product changes"

// Compare takes the results of a gate with the work and without its product
// changes. The gate passed with the work; passed are the tests that did, as far as they have names.
func Compare(with, without loop.Result, passed map[string]int) Compared {
	switch {
	case without.Verdict == loop.Passed:
		return Compared{Why: "gate " + with.Gate + " " + PassesWithout}
	case without.CannotStart, without.Signal != "", without.Verdict == loop.Skipped, without.ExitCode == nil && !without.TimedOut:
		return Compared{Why: fmt.Sprintf("gate %s says nothing without the work: %s", with.Gate, without.Reason)}
	case without.TimedOut:
		return Compared{Red: loop.RedByExit, Why: "gate " + with.Gate + " timed out without the work"}
	}
	if tests := redTests(with, without, passed); len(tests) > 0 && onlyLacks(without.Excerpt) {
		return Compared{Red: loop.RedByBuild}.Only(tests)
	} else if len(tests) > 0 {
		return Compared{Red: loop.RedByAssertion}.Only(tests)
	}
	if with.Tests != nil || without.Tests != nil {
		return Compared{Red: loop.RedByBuild, Why: "the tests of gate " + with.Gate + " do not compile, load or run without the work"}
	}
	if *without.ExitCode == 0 {
		return Compared{Why: fmt.Sprintf("gate %s says nothing without the work: %s", with.Gate, without.Reason)}
	}
	return Compared{Red: loop.RedByExit, Why: fmt.Sprintf("gate %s exits with %d without the work; it names no tests", with.Gate, *without.ExitCode)}
}

// Only is the same of fewer tests.
func (c Compared) Only(tests []string) Compared {
	if c.Named = tests; len(tests) == 0 {
		return c
	}
	c.Why = "without the work these fail: " + text.Few(tests, 3)
	if c.Red == loop.RedByBuild {
		c.Why = "without the work these fail because a name is missing: " + text.Few(tests, 3)
	} else {
		c.Tests = tests[:min(len(tests), mostTests)]
	}
	return c
}

// Beyond is what fails without the work and did not fail on the base, of a gate that
// another task had broken there.
func (c Compared) Beyond(base loop.Result) Compared {
	if c.Red == "" {
		return c
	}
	rest := slices.DeleteFunc(slices.Clone(c.Named), func(id string) bool { return base.Tests != nil && slices.Contains(base.Tests.Failing, id) })
	if c.Red == loop.RedByAssertion && len(rest) > 0 {
		return c.Only(rest)
	}
	return Compared{Why: "without the work nothing fails but what an earlier task of the plan had broken"}
}

// redTests are named tests that fail without the work. With it none fails. What passed then is a
// test by any name.
func redTests(with, without loop.Result, passed map[string]int) []string {
	if without.Tests == nil || with.Tests == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(without.Tests.Failing), func(id string) bool {
		return !namesTest(id) && passed[id] == 0 || slices.Contains(with.Tests.Failing, id)
	})
}

// In languages without a compiler a test that only calls what the work added fails by its
// name, as one that asserts something does. The messages of interpreters tell them apart.
var (
	lackOfName = lazyregexp.New(`\b(?:NameError|ImportError|ModuleNotFoundError|AttributeError|NoMethodError|ReferenceError)\b|` +
		`TypeError: .* is not a (?:function|constructor)|Call to undefined (?:function|method)|Error: Class "[^"]+" not found|` + hollowed)
	failedAssertion = lazyregexp.New(`AssertionError|AssertionFailedError|ERR_ASSERTION|ExpectationNotMet|Failed asserting|` +
		`(?m:^E +assert\b)|- assert\b|\bassertion (?:failed|\x60)|expect\(received\)|\b[Ee]xpected:`)
)

// onlyLacks reports whether the output of failed tests tells of names that are not there,
// and of no assertion.
func onlyLacks(output string) bool {
	return lackOfName.MatchString(output) && !failedAssertion.MatchString(output)
}

// namesTest: an id is that of a test and not of a package, file or program that
// could not be built: "package:TestName", "file.py::test_name", "suite > name",
// "module.Class.test_name".
func namesTest(id string) bool {
	return strings.Contains(id, ":") && !strings.HasSuffix(id, ":") || strings.Contains(id, " > ") ||
		ratchet.ModuleName.MatchString(id) && !strings.Contains(id, "_FailedTest.") && strings.HasPrefix(id[strings.LastIndexByte(id, '.')+1:], "test")
}

// KeptWithTests: files that stay as the work has them when its product changes are
// undone.
func KeptWithTests(name string) bool {
	_, test := proof.IsTest(name)
	return test || manifest.Of(name) != nil || proof.Matches(proof.Installs, strings.ToLower(path.Base(name)))
}
