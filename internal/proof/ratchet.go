package proof

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/scope"
)

// Lost returns the names of tests that passed on the base and do not pass on the
// work, sorted: they failed, were skipped, or did not run. A name that several
// tests share is lost when fewer of them pass. The tests of steady, another run on
// the base, are those that can be expected at all: a name that is missing there is
// flaky, or changes with each run; nil expects all.
func Lost(base, work, steady Names) []string {
	before, now := base.With(TestPassed), work.With(TestPassed)
	var expected map[string]int
	if steady != nil {
		expected = steady.With(TestPassed)
	}
	var lost []string
	for name, n := range before {
		if steady != nil {
			n = min(n, expected[name])
		}
		if now[name] < n {
			lost = append(lost, name)
		}
	}
	slices.Sort(lost)
	return lost
}

// Permission is what people allow a task to do with tests: the globs of may_change
// and of its scope.
type Permission struct {
	MayChange, Scope []string
	// Changed are the paths that the work changed, added or removed.
	Changed []string
}

// Forbidden returns the lost tests that nothing permits to lose. A test may go where
// a changed file that can hold it is permitted, and no such file is without
// permission. Which files can hold it is known for runners whose names begin with
// the file, the module or the package; for others it is every changed test file.
func (p Permission) Forbidden(lost []string) []string {
	return slices.DeleteFunc(slices.Clone(lost), p.allows)
}

func (p Permission) allows(test string) bool {
	holds := holder(test)
	allowed := false
	for _, f := range p.Changed {
		if !holds(f) {
			continue
		}
		if !scope.Match(p.MayChange, f) && !scope.Match(p.Scope, f) {
			return false
		}
		allowed = true
	}
	return allowed
}

var (
	goTestName = lazyregexp.New(`^([^\s:]+):[A-Z]\w*(/.*)?$`)
	fileName   = lazyregexp.New(`^(\S+?\.(?:py|[cm]?[jt]sx?))(?:::| > )`)
	moduleName = lazyregexp.New(`^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$`)
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
	if moduleName.MatchString(test) {
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

// LostReason explains lost tests in one line, and how to permit the loss.
func LostReason(lost []string) string {
	const shown = 3
	names := strings.Join(lost[:min(len(lost), shown)], ", ")
	if more := len(lost) - shown; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	verb := "tests that passed before do"
	if len(lost) == 1 {
		verb = "test that passed before does"
	}
	return fmt.Sprintf("%d %s not run and pass: %s (--may-change allows to remove tests)", len(lost), verb, names)
}
