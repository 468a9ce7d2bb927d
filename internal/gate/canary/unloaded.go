package canary

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Unloaded returns the places, by their At, whose tests could not be built or loaded:
// a runner lists the package or the file itself among the failed tests. Such an id is
// "example.com/shop/tax" in Go, "tests/test_tax.py" in pytest, "test/tax.test.js" in
// JavaScript and "unittest.loader._FailedTest.tests.test_tax" in unittest.
func Unloaded(places []Place, failed []string) []string {
	var out []string
	for _, p := range places {
		if slices.ContainsFunc(failed, p.isIn) {
			out = append(out, p.At)
		}
	}
	return out
}

// Sites returns the places of all tests among the files of a commit, however many there
// are, with nothing but At, Path and Module.
func Sites(files []string, module string) []Place {
	var out []Place
	seen := map[string]bool{}
	for _, f := range files {
		if k, at := kindOf(f); k != nil && !seen[at] {
			seen[at] = true
			out = append(out, Place{At: at, Path: f, Module: module})
		}
	}
	return out
}

// isIn reports whether the id of a failure is that of the place as a whole.
func (p Place) isIn(id string) bool {
	if path.Ext(p.Path) == ".go" {
		return !strings.ContainsAny(id, ": ") && (p.At == "." && p.isRoot(id) || endsIn(id, p.At))
	}
	if _, module, ok := strings.Cut(id, "_FailedTest."); ok {
		id = strings.ReplaceAll(strings.TrimSuffix(module, ")"), ".", "/") + ".py"
	}
	return path.Ext(id) != "" && (endsIn(id, p.At) || endsIn(p.At, id))
}

// isRoot reports whether an id may be the package in the root of the repository. Where
// its name is unknown any may be: tests of other runners can have one word for a name.
func (p Place) isRoot(id string) bool {
	return p.Module == "" || id == p.Module || id == "command-line-arguments"
}

// endsIn reports whether a path is the end of another.
func endsIn(long, end string) bool {
	return long == end || strings.HasSuffix(long, "/"+strings.TrimPrefix(end, "./"))
}

// bareOf returns what writes a canary without the tests of a file, and what remains
// of the file beside it; nil for languages in which tests and product share files.
func bareOf(file string) (k kind, rest func(text string) string) {
	switch path.Ext(file) {
	case ".go":
		return golang, func(text string) string { return "package " + syntax.GoPackage.FindStringSubmatch(text)[1] + "\n" }
	case ".py":
		return barePython, nil
	case ".rs", ".rb", ".php", ".java":
		return nil, nil
	}
	return bareScript, nil
}

func barePython(file, text string, word func() string, had bool) (Place, bool) {
	if _, ok := python(file, text, word, had); !ok {
		return Place{}, false
	}
	return python(file, "", word, true)
}

// runners are the modules from which a file gets its test functions and assertions.
var runners = []string{"test", "assert", "assert/strict", "vitest", "@jest/globals", "mocha", "chai"}

// runnerImports are the lines by which a source of JavaScript imports them.
func runnerImports(text string) (lines []string) {
	last := 0
	for _, i := range syntax.ScriptImports(text) {
		if i.Begin >= last && i.Names != "" && slices.Contains(runners, strings.TrimPrefix(i.Module, "node:")) {
			last = i.End + len(syntax.Before(text[i.End:], "\n"))
			lines = append(lines, text[i.Begin:last])
		}
	}
	return lines
}

func bareScript(file, text string, word func() string, had bool) (Place, bool) {
	p, ok := javascript(file, text, word, had)
	if !ok {
		return Place{}, false
	}
	added := string(p.Data)[len(strings.TrimRight(text, "\n")):]
	p.Data = []byte(strings.Join(runnerImports(text), "\n") + added)
	return p, true
}

// skipWord is what tests say that may be skipped, or may fail, wherever they run.
var skipWord = lazyregexp.New(`(?i)skip|xfail|expectedFailure|\btodo\b`)

// Idle explains why the project's own tests in a place count for nothing: none of them
// passed, or one was skipped although nothing in its file can skip it. It is empty
// where they do count, and where their names are unknown. passed and skipped are ids.
func (p Place) Idle(passed, skipped []string) string {
	one := []Place{p}
	if len(p.Own) == 0 {
		return ""
	}
	ran := slices.DeleteFunc(Tests(one, passed), p.elsewhere)
	if len(ran) == 0 {
		return "no test of " + p.At + " ran and passed"
	}
	var text strings.Builder
	text.Write(p.Data)
	for _, f := range p.Edited {
		text.Write(f.Data)
	}
	for _, id := range slices.DeleteFunc(Tests(one, skipped), p.elsewhere) {
		if !slices.Contains(ran, id) && !skipWord.MatchString(text.String()) {
			return id + " was skipped"
		}
	}
	return ""
}

// Unseen returns the names of the project's own tests in a place that neither passed nor
// were skipped. passed and skipped are ids.
func (p Place) Unseen(passed, skipped []string) []string {
	seen := map[string]bool{}
	for _, id := range slices.DeleteFunc(Tests([]Place{p}, slices.Concat(passed, skipped)), p.elsewhere) {
		for _, name := range namesIn(id) {
			seen[name] = true
		}
	}
	return slices.Compact(slices.DeleteFunc(slices.Sorted(slices.Values(p.Own)), func(name string) bool { return seen[name] }))
}

// elsewhere reports whether the id of a test names another place than this one: the ids
// of Go begin with the package, those of pytest with the file, those of unittest with the
// module.
func (p Place) elsewhere(id string) bool {
	switch path.Ext(p.Path) {
	case ".go":
		pkg, _, named := strings.Cut(id, ":")
		return named && p.At != "." && !endsIn(pkg, p.At)
	case ".py":
		if file, _, named := strings.Cut(id, "::"); named {
			for strings.HasPrefix(file, "../") {
				file = file[len("../"):]
			}
			return !endsIn(file, p.At) && !endsIn(p.At, file)
		}
		module := strings.TrimSuffix(path.Base(p.At), ".py")
		return !slices.Contains(strings.Split(id, "."), module)
	}
	return false
}
