package gate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text/shell"
)

// choose limits the known runners of a command line to some tests, which are named by their ids:
//
//	go test      -run '^(TestA|TestB)$'      (behind make or a script: GOFLAGS)
//	pytest       -k "test_a or test_b"       PYTEST_ADDOPTS
//	unittest     -k module.Class.test_a
//	node --test  --test-name-pattern '(a|b)$'
//	jest, vitest -t '(a|b)$'
//	mocha        -g '(a|b)$'
//	cargo test   -- module::a module::b
//
// A runner may run more tests than these, since some choose by a part of the name, or all of
// them, where the line has a choice of its own. Names that are too long for a command line choose
// nothing. script is that of verbose.
func choose(line string, env, ids []string, script func(dir, name string) string) (out string, with []string) {
	out, with = line, env
	if len(strings.Join(ids, " ")) > longestChoice {
		return line, env
	}
	if plainLine(line) {
		for _, command := range slices.Backward(shell.Split(line)) {
			out = simple{command}.choose(out, ids, script)
		}
	}
	if names := goTests(ids); out == line && names != "" && !strings.Contains(lookup(env, "GOFLAGS"), "-run") {
		with = appended(with, "GOFLAGS", "-run="+names)
	}
	if names := among(ids, pytestName); len(names) > 0 {
		with = appended(with, "PYTEST_ADDOPTS", `-k "`+strings.Join(names, " or ")+`"`)
	}
	return out, with
}

// longestChoice bounds the names of the tests that are chosen, in bytes; Linux takes 128 KiB in one
// argument.
const longestChoice = 32 << 10

var (
	goName       = lazyregexp.New(`^\S+:((?:Test|Example|Fuzz)[\pL\pN_]*)(?:/.*)?$`)
	pytestName   = lazyregexp.New(`^\S+\.py::(?:\w+::)*(\w+)(?:\[.*\])?$`)
	unittestName = lazyregexp.New(`^(\w+(?:\.\w+){2,})(?:\s.*)?$`)
	cargoName    = lazyregexp.New(`^(\w+(?:::\w+)*)$`)
	// scriptName is the last part of "a.test.js: suite > name", which jest writes with "›".
	scriptName = lazyregexp.New(`^(?:\S+\.[cm]?[jt]sx?:\s)?(?:.*\s[>›]\s)?([^'\x00-\x1f]+)$`)
)

// among are the names of ids that have this form, sorted.
func among(ids []string, form *lazyregexp.Regexp) (names []string) {
	for _, id := range ids {
		if m := form.FindStringSubmatch(id); m != nil {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// goTests is a pattern for tests of Go; "" is none.
func goTests(ids []string) string {
	names := among(ids, goName)
	if len(names) == 0 {
		return ""
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// choose inserts the option of a runner into the line, unless it has a choice of its own.
func (c simple) choose(line string, ids []string, script func(dir, name string) string) string {
	r, _ := identify(c.Words)
	last := len(c.Words) - 1
	switch {
	case r.name == "go test":
		if names := goTests(ids); names != "" && !c.has("-run", "-c", "-list", "-args") {
			return c.after(line, slices.Index(c.Words, "test"), "-run '"+names+"'")
		}
	case r.name == "unittest":
		i := slices.Index(c.Words, "unittest")
		if i < last && c.Words[i+1] == "discover" {
			i++
		}
		if names := among(ids, unittestName); len(names) > 0 && !c.has("-k") {
			return c.after(line, i, "-k "+strings.Join(names, " -k "))
		}
	case r.name == "cargo test":
		if names := among(ids, cargoName); len(names) > 0 && !slices.Contains(c.Words, "--") {
			return c.after(line, last, "-- "+strings.Join(names, " "))
		}
	case slices.Contains([]string{"npm", "yarn", "pnpm"}, path.Base(c.Words[0])):
		if inner, ok := c.behindPackage(script); ok {
			if option := inner.pattern(ids); option != "" && (inner.Words[0] != "node" || first(inner.Words[1:]) == "") {
				return c.handOn(line, option)
			}
		}
	default:
		if option := c.pattern(ids); option != "" && r.name == "vitest" {
			return c.after(line, last, option)
		} else if option != "" {
			return c.after(line, 0, option)
		}
	}
	return line
}

// pattern is the option with which a runner of JavaScript runs the tests whose names end so; ""
// where there is none.
func (c simple) pattern(ids []string) string {
	option := ""
	switch r, _ := identify(c.Words); r.name {
	case "node --test":
		option = "--test-name-pattern"
	case "jest", "vitest":
		option = "-t"
	case "mocha":
		option = "-g"
	}
	names := among(ids, scriptName)
	if option == "" || len(names) == 0 || c.has("--", "-t", "-g", "-f", "--testNamePattern", "--grep", "--fgrep", "--test-name-pattern", "--test-only") {
		return ""
	}
	for i, name := range names {
		names[i] = regexp.QuoteMeta(name)
	}
	return option + " '(" + strings.Join(names, "|") + ")$'"
}

// limit tells the runner which tests to run, if only some are asked for. Go behind a script does
// not hear of it where tests start go themselves.
func (e *evaluation) limit(env []string) []string {
	if len(e.Only) == 0 || e.Gate.Kind != loop.KindTests {
		return env
	}
	last := len(e.res.Argv) - 1
	line, with := choose(e.res.Argv[last], env, e.Only, e.script)
	with = e.unheardByTests(with, env)
	if line != e.res.Argv[last] || !slices.Equal(with, env) {
		e.res.Argv[last], e.res.OnlyTests = line, len(e.Only)
	}
	return with
}
