package gate

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/gate/testout"
	"ralph/internal/loop"
	"ralph/internal/text/shell"
)

// runner describes a command that runs tests.
type runner struct {
	name    string
	formats []testout.Format
	// wrapper: its output depends on the project; results count where they can be
	// read.
	wrapper bool
	// reports: it leaves its results in reports of JUnit's form, and prints few of them.
	reports bool
	// alone: nothing else on the command line could have failed.
	alone bool
}

// runnerOf finds the runner in a command line; where there are several, a
// known one wins over a wrapper, whose results may be of any format.
func runnerOf(line string) (runner, bool) {
	commands := shell.Split(line)
	var best runner
	found, wrapper, reports := false, false, true
	for _, c := range commands {
		r, ok := identify(c.Words)
		wrapper = wrapper || ok && r.wrapper
		reports = reports && (!ok || r.reports)
		if ok && (!found || best.wrapper && !r.wrapper) {
			best, found = r, true
		} else if ok && !r.wrapper {
			best.formats = append(best.formats, r.formats...)
		}
	}
	if wrapper { // any format
		best.formats = nil
	}
	best.reports = found && reports
	best.alone = len(commands) == 1
	return best, found
}

// byName finds a runner by the program's own name.
func byName(name string) (runner, bool) {
	r := runner{name: name}
	switch name {
	case "pytest", "py.test":
		r.formats = []testout.Format{testout.Pytest}
	case "gotestsum":
		r.formats = []testout.Format{testout.GoTest, testout.Generic}
	case "jest":
		r.formats = []testout.Format{testout.Jest}
	case "vitest":
		r.formats = []testout.Format{testout.Jest, testout.TAP}
	case "mocha":
		r.formats = []testout.Format{testout.Generic, testout.TAP}
	case "rspec", "phpunit", "ctest":
		r.formats = []testout.Format{testout.Generic}
	case "bats", "ava", "prove", "tox", "nox":
		r.wrapper = true
	default:
		return runner{}, false
	}
	return r, true
}

// runsTasks: programs that run a project's tests under a name of the project's.
func runsTasks(name string) bool {
	switch name {
	case "npm", "yarn", "pnpm", "bun", "make", "gmake", "just", "task", "rake", "mix",
		"composer", "dotnet", "deno", "sbt", "bazel", "bazelisk", "swift", "zig", "cmake", "ninja":
		return true
	}
	return false
}

func identify(words []string) (runner, bool) {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(words[0], `\`, "/")), ".exe")
	args := words[1:]
	switch {
	case name == "go" && first(args) == "test":
		return known("go test", testout.GoTest)
	case name == "cargo" && slices.Contains([]string{"test", "t"}, first(args)):
		return known("cargo test", testout.Cargo)
	case name == "cargo" && first(args) == "nextest":
		return runner{name: "cargo nextest", wrapper: true}, true
	case name == "node" && slices.Contains(args, "--test"):
		return known("node --test", testout.Node)
	case strings.HasPrefix(name, "python") || name == "py" || name == "coverage" && first(args) == "run":
		return python(args)
	case name == "c8" || name == "nyc":
		return behind(args)
	case name == "php" || name == "composer" && first(args) == "exec":
		return phpunit(args)
	case slices.Contains([]string{"mvn", "mvnw", "gradle", "gradlew"}, name):
		return runner{name: name + " test", wrapper: true, reports: true}, slices.ContainsFunc(args, testTask)
	case runsTasks(name):
		usual := name == "rake" && first(args) == "" // its usual task are the tests
		return runner{name: name + " test", wrapper: true}, usual || slices.ContainsFunc(args, testTask)
	}
	return byName(name)
}

func known(name string, f testout.Format) (runner, bool) {
	return runner{name: name, formats: []testout.Format{f}}, true
}

func python(args []string) (runner, bool) {
	i := slices.Index(args, "-m")
	if i < 0 || i+1 >= len(args) {
		return runner{}, false
	}
	switch args[i+1] {
	case "coverage":
		return python(args[i+2:])
	case "pytest":
		return known("pytest", testout.Pytest)
	case "unittest":
		return known("unittest", testout.Unittest)
	case "tox", "nox":
		return runner{name: args[i+1], wrapper: true}, true
	}
	return runner{}, false
}

// behind finds the runner that a tool which measures coverage starts, after options of its own.
func behind(args []string) (runner, bool) {
	for i, word := range args {
		if word == "c8" || word == "nyc" || strings.HasPrefix(word, "-") {
			continue
		}
		if r, ok := identify(args[i:]); ok {
			return r, true
		}
	}
	return runner{}, false
}

// phpunit finds PHPUnit behind php and composer, after options.
func phpunit(args []string) (runner, bool) {
	for _, word := range args {
		if strings.HasPrefix(word, "-") || word == "exec" || strings.Contains(word, "=") {
			continue
		}
		if path.Base(word) == "phpunit" {
			return known("phpunit", testout.Generic)
		}
		break
	}
	return runner{}, false
}

// testTask: "test", "t", "test:unit", "integration-test", "verify", "check".
func testTask(word string) bool {
	if strings.HasPrefix(word, "-") {
		return false
	}
	word = strings.ToLower(word)
	return slices.Contains([]string{"t", "tst", "verify", "check", "spec"}, word) || strings.Contains(word, "test")
}

// first returns the first word that is not an option.
func first(words []string) string {
	for _, w := range words {
		if !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "+") {
			return w
		}
	}
	return ""
}

// reading is which test results are expected, and how much they count.
type reading struct {
	known   bool
	off     bool   // parse: exit
	junit   string // a report's path, or "-" for the output itself
	usual   bool   // reports of JUnit's form, where the runner writes them by itself
	formats []testout.Format
	// must: results are required. counts: results decide together with the exit
	// code; else they only name failures.
	must, counts bool
	// alone: only the runner can have failed.
	alone bool
}

func readingOf(g loop.Gate) reading {
	r := explicit(g.Parse)
	if !r.known || r.off {
		return r
	}
	runner, found := runnerOf(g.Run)
	r.alone = runner.alone
	if r.formats == nil {
		r.formats = runner.formats
	}
	tests := g.Kind == loop.KindTests || g.Kind == loop.KindCoverage
	r.usual = tests && runner.reports && (g.Parse == "" || g.Parse == string(testout.Auto))
	switch {
	case !tests:
		r.must, r.counts = false, false
	case r.must || g.MinTests != nil:
		r.must, r.counts = true, true
	default:
		// A coverage gate must read its coverage; tests help where they can.
		r.must = g.Kind == loop.KindTests && found && !runner.wrapper
		r.counts = found
	}
	return r
}

// explicit reads the parse key.
func explicit(parse string) reading {
	demanded := reading{known: true, must: true}
	path, isFile := strings.CutPrefix(parse, "junit:")
	switch {
	case parse == "" || parse == "auto":
		return reading{known: true}
	case parse == "exit":
		return reading{known: true, off: true}
	case isFile && path != "":
		demanded.junit = path
	case parse == "junit":
		demanded.junit = "-"
	case testout.Known(testout.Format(parse)):
		demanded.formats = []testout.Format{testout.Format(parse)}
	default:
		return reading{}
	}
	return demanded
}

// Infer returns the kind of gate for a command line, and its parser: a command
// that runs tests is judged by their results, any other by its exit code.
func Infer(command string) (kind loop.Kind, parse string) {
	if _, ok := runnerOf(command); ok {
		return loop.KindTests, "auto"
	}
	return loop.KindCommand, ""
}
