package ratchet

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"ralph/internal/lazyregexp"
	"ralph/internal/scope"
	"ralph/internal/text"
)

// Lost returns the names of tests that ran on the base and do not pass on the work,
// sorted: they failed, were skipped, or did not run. Of a name that several tests share,
// as many must pass as ran on the base (see wanted). A test that failed on the base may
// pass as one of its cases, and a case under another name (goneCases): names can hold
// what was wrong.
// The tests of steady, another run on the base, are those that can be expected at
// all: a name that is missing there changes with each run; nil expects all.
func Lost(base, work, steady Names) []string {
	passed, failed, now := base.With(TestPassed), base.With(TestFailed), work.With(TestPassed)
	cases, values := newGoneCases(base, work), newValues(base, now)
	ran := map[string]int{}
	for _, t := range base {
		if t.Outcome != TestSkipped {
			ran[t.Name] = wanted(t.Name, passed[t.Name], failed[t.Name])
		}
	}
	ran = steadily(ran, steady)
	var lost []string
	for _, name := range slices.Sorted(maps.Keys(ran)) {
		switch red := passed[name] == 0; {
		case now[name] >= ran[name]:
		case red && now[name] == 0 && (cases.kept(name) || renamed(name, base, now) || values.take(name, ran[name])):
		default:
			lost = append(lost, name)
		}
	}
	return lost
}

// wanted returns how many tests of a name must pass that passed and failed so often on the
// base: all of them. But a name of Go holds its package, and go test names no two tests
// alike: where one failed and passed, or failed twice, the same test ran again. So does
// one of a class in JUnit's form that never passed: a report has a test again for each
// try, and for a failure behind it.
func wanted(name string, passed, failed int) int {
	switch {
	case goTestName.MatchString(name):
		return max(passed, min(failed, 1))
	case passed == 0 && className.MatchString(name):
		return min(failed, 1)
	}
	return passed + failed
}

// className matches a name of JUnit's form with its class: "org.shop.CartTest:empty".
var className = lazyregexp.New(`^[\w$]+(?:\.[\w$]+)+:\S`)

// renamed reports whether a test passes now under the beginning of its name: many
// scripts add what they got to the name of a test that fails, as in "not ok 1 - adds:
// got 3". The beginning must be no test of the base, and the name not that of a case.
func renamed(name string, base Names, now map[string]int) bool {
	if name != testOf(name) {
		return false
	}
	for i, r := range name {
		short := strings.TrimRight(name[:i], " \t:-–—(")
		if unicode.IsLetter(r) || unicode.IsDigit(r) || now[short] == 0 {
			continue
		}
		if !slices.ContainsFunc(base, func(t Test) bool { return t.Name == short }) {
			return true
		}
	}
	return false
}

// endValue matches a name that ends with a number behind a sign or word for a result, as in
// "tax 50 = 9": what is before the number, and what closes it.
var endValue = lazyregexp.New(`^(.*(?:[=:>→]|\b(?:got|was|is|returns|gives))\s*["'(\[]?)[-+]?\d+(?:[.,]\d+)*(["')\]]?)$`)

// values are the passing tests with names that the base does not have, by their names
// without the result at the end.
type values map[string]int

func newValues(base Names, now map[string]int) values {
	v := values{}
	fresh := maps.Clone(now)
	for _, t := range base {
		delete(fresh, t.Name)
	}
	for name, n := range fresh {
		if m := endValue.FindStringSubmatch(name); m != nil {
			v[m[1]+m[2]] += n
		}
	}
	return v
}

// take reports whether as many tests pass under a name that differs in the result at its
// end alone: many scripts write what they got. Each stands for one test.
func (v values) take(name string, n int) bool {
	m := endValue.FindStringSubmatch(name)
	if m == nil || name != testOf(name) || v[m[1]+m[2]] < n {
		return false
	}
	v[m[1]+m[2]] -= n
	return true
}

// steadily bounds the numbers of tests by those that ran another time.
func steadily(tests map[string]int, again Names) map[string]int {
	if again == nil {
		return tests
	}
	passed, failed, out := again.With(TestPassed), again.With(TestFailed), map[string]int{}
	for name, n := range tests {
		out[name] = min(n, passed[name]+failed[name])
	}
	return out
}

// testOf is the name of a test without its case: a subtest of Go, a parameter of
// pytest.
func testOf(name string) string {
	if m := goTestName.FindStringSubmatch(name); m != nil {
		return strings.TrimSuffix(name, m[2])
	}
	if file, rest, ok := strings.Cut(name, "::"); ok {
		test, _, _ := strings.Cut(rest, "[")
		return file + "::" + test
	}
	return name
}

// Permission is what people allow a task to do with tests: the globs of may_change
// and of its scope.
type Permission struct {
	MayChange, Scope []string
	// Reviewed are paths whose change reviewers allowed.
	Reviewed []string
	// Changed are the paths that the work changed, added or removed, Files all that it
	// has.
	Changed, Files []string
}

// Forbidden returns the lost tests that nothing permits to lose. A test may go where
// a changed file that can hold it is permitted, and no such file is without
// permission. A case may also go where its file is permitted and unchanged: it can come
// from the product. Which files can hold a test is known for runners whose names begin
// with the file, the module or the package; for others it is every test file.
func (p Permission) Forbidden(lost []string) []string {
	return slices.DeleteFunc(slices.Clone(lost), p.allows)
}

func (p Permission) allows(test string) bool {
	holds := holder(test)
	allowed := test != testOf(test) && slices.ContainsFunc(p.Files, func(f string) bool { return holds(f) && scope.Match(p.MayChange, f) })
	for _, f := range p.Changed {
		if !holds(f) {
			continue
		}
		if !scope.Match(p.MayChange, f) && !scope.Match(p.Scope, f) && !slices.Contains(p.Reviewed, f) {
			return false
		}
		allowed = true
	}
	return allowed
}

var (
	goTestName = lazyregexp.New(`^([^\s:]+):[A-Z]\w*(/.*)?$`)
	fileName   = lazyregexp.New(`^(\S+?\.(?:py|[cm]?[jt]sx?))(?:::| > )`)
	// ModuleName matches a name with dots, as modules and classes of tests have it.
	ModuleName = lazyregexp.New(`^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$`)
	testFile   = lazyregexp.New(`(?i)(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)|(?:Test|Tests|Spec|IT)\.\w+$`)
)

// holder returns what decides whether a changed file can hold a test.
func holder(test string) func(file string) bool {
	if m := fileName.FindStringSubmatch(test); m != nil {
		return func(file string) bool { return file == m[1] || strings.HasSuffix(file, "/"+m[1]) }
	}
	if m := goTestName.FindStringSubmatch(test); m != nil {
		return func(file string) bool {
			dir := path.Dir(file)
			return strings.HasSuffix(file, "_test.go") && (dir == "." || m[1] == dir || strings.HasSuffix(m[1], "/"+dir))
		}
	}
	if ModuleName.MatchString(test) {
		parts := strings.Split(test, ".")
		return func(file string) bool { return strings.HasSuffix(file, ".py") && inModule(file, parts) }
	}
	return func(file string) bool { return testFile.MatchString(file) || strings.HasSuffix(file, ".rs") }
}

// inModule reports whether a Python file can be the module that a test's dotted
// name begins with.
func inModule(file string, parts []string) bool {
	module := strings.TrimSuffix(strings.TrimSuffix(file, ".py"), "/__init__")
	for i := range parts {
		m := strings.Join(parts[:i+1], "/")
		if module == m || strings.HasSuffix(module, "/"+m) {
			return true
		}
	}
	return false
}

// LostReason explains lost tests in one line.
func LostReason(lost []string) string {
	names := text.Few(lost, 3)
	verb := "tests that ran before do"
	if len(lost) == 1 {
		verb = "test that ran before does"
	}
	return fmt.Sprintf("%d %s not run and pass: %s", len(lost), verb, names)
}
