package gate

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ralph/internal/text/shell"
)

// verbose makes known runners of tests name every test that they run: without the
// names of those that pass, neither their number nor the loss of one is known.
// Where the command line is plain, its runners get the option; a runner behind
// make or a script hears of it through its environment:
//
//	go test      -json      GOFLAGS=-v
//	pytest                  PYTEST_ADDOPTS=-rap
//	unittest     -v
//	jest         --verbose  (also behind npm, yarn and pnpm)
//	vitest       --reporter=verbose
//	mocha        --reporter spec
//
// RSpec and PHPUnit write a report of their own: askReports.
//
// Where tests start go themselves, GOFLAGS stays as it is (unheardByTests).
// node --test and cargo test name their tests by themselves, the latter without -q; cargo
// test is told not to stop at the first program that fails. pytest names the tests that it skips only
// where it names each test as it runs, which makes its output another one: skipped asks
// for that, also behind options for less output. script returns a
// script of package.json in a folder, relative to the gate's; "" is none.
func verbose(line string, env []string, skipped bool, script func(dir, name string) string) (string, []string) {
	out, plain := line, plainLine(line)
	hidden := false // a runner that only its environment reaches
	for _, command := range slices.Backward(shell.Split(line)) {
		c := simple{command}
		if plain {
			out = c.option(out, script)
		}
		r, ok := identify(c.Words)
		hidden = hidden || ok && (r.wrapper || !plain && r.name == "go test")
	}
	if hidden {
		env = appended(env, "GOFLAGS", "-v")
	}
	return out, namedByPytest(env, skipped)
}

// plainLine reports whether options can be put into a command line.
func plainLine(line string) bool {
	return !strings.ContainsAny(strings.ReplaceAll(line, "||", ""), "|<>`\n#") && !strings.Contains(line, "$(")
}

// namedByPytest makes pytest name its tests.
func namedByPytest(env []string, skipped bool) []string {
	env = appended(env, "PYTEST_ADDOPTS", "-rap")
	if skipped {
		env = appended(env, "PYTEST_ADDOPTS", "-vvv")
	}
	return env
}

// mostScripts bounds the scripts that behindScripts reads.
const mostScripts = 20

// behindScripts makes the runners name every test that scripts of the tree run, through
// their environment: scripts that the command line names (./test.sh, sh ci/all.sh), and
// those that these name. text returns the text of a file, relative to the gate's folder; ""
// is none.
func behindScripts(line string, env []string, skipped bool, text func(file string) string) []string {
	read := map[string]bool{}
	for texts, i := []string{line}, 0; i < len(texts); i++ {
		for _, command := range shell.Split(texts[i]) {
			switch r, _ := identify(command.Words); {
			case i > 0 && r.name == "go test":
				env = appended(env, "GOFLAGS", "-v")
			case i > 0 && r.name == "pytest":
				env = namedByPytest(env, skipped)
			}
			for _, w := range command.Words[:min(len(command.Words), 3)] { // sh -e FILE
				if file := path.Join(command.Dir, w); !read[file] && len(read) < mostScripts && strings.ContainsAny(w, "./") && !path.IsAbs(w) {
					read[file] = true
					texts = append(texts, text(file))
				}
			}
		}
	}
	return env
}

// appended adds an option to a variable that holds several.
func appended(env []string, name, option string) []string {
	value := lookup(env, name)
	if slices.Contains(strings.Fields(value), option) {
		return env
	}
	return environment(env, map[string]string{name: strings.TrimSpace(value + " " + option)})
}

// simple is a command that may get an option.
type simple struct{ shell.Command }

// option inserts the option of a runner into the line.
func (c simple) option(line string, script func(dir, name string) string) string {
	name := path.Base(c.Words[0])
	switch {
	case name == "go" && len(c.Words) > 1 && c.Words[1] == "test" && !c.has("-json", "-c", "-list"):
		return c.after(line, 1, "-json")
	case name == "cargo" && len(c.Words) > 1 && c.Words[1] == "test":
		line = c.without(line, "-q", "--quiet")
		if c.has("--no-fail-fast") {
			return line
		}
		return c.after(line, 1, "--no-fail-fast")
	case (isPython(name) || name == "coverage") && !c.has("-v", "--verbose", "-q", "--quiet"):
		return c.unittest(line)
	case name == "jest" && !c.has("--verbose", "--json", "--reporters"):
		return c.after(line, 0, "--verbose")
	case name == "vitest" && !c.has("--reporter", "--"):
		return c.after(line, len(c.Words)-1, "--reporter=verbose")
	case name == "mocha" && !c.has("--reporter", "-R"):
		return c.after(line, 0, "--reporter spec")
	case slices.Contains([]string{"npm", "yarn", "pnpm"}, name):
		return c.packageScript(line, script)
	}
	return line
}

func isPython(name string) bool { return strings.HasPrefix(name, "python") || name == "py" }

// has reports whether the command has one of these options.
func (c simple) has(options ...string) bool {
	return slices.ContainsFunc(c.Words, func(w string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return w == o || strings.HasPrefix(w, o+"=") })
	})
}

func (c simple) after(line string, word int, option string) string {
	at := c.Ends[word]
	return line[:at] + " " + option + line[at:]
}

// without leaves out options, as far as they are written plainly.
func (c simple) without(line string, options ...string) string {
	for i, w := range slices.Backward(c.Words) {
		end := c.Ends[i]
		if at := end - len(w); slices.Contains(options, w) && at > 1 && line[at:end] == w && line[at-1] == ' ' {
			line = line[:at-1] + line[end:]
		}
	}
	return line
}

// unittest: "discover" must stay the first word of its arguments.
func (c simple) unittest(line string) string {
	i := slices.Index(c.Words, "unittest") - 1 // also behind "-m coverage run"
	if i < 0 || c.Words[i] != "-m" {
		return line
	}
	if i+2 < len(c.Words) && c.Words[i+2] == "discover" {
		i++
	}
	return c.after(line, i+1, "-v")
}

// packageScript hands the option on to a script that is one plain command of a
// known runner.
func (c simple) packageScript(line string, script func(dir, name string) string) string {
	inner, ok := c.behindPackage(script)
	if !ok {
		return line
	}
	option := ""
	switch path.Base(inner.Words[0]) {
	case "jest":
		option = "--verbose"
	case "vitest":
		option = "--reporter=verbose"
	case "mocha":
		option = "--reporter spec"
	default:
		return line
	}
	words := slices.Concat(inner.Words, c.Words)
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--reporter") || w == "-R" || w == "--verbose" }) {
		return line
	}
	return c.handOn(line, option)
}

// behindPackage is the command that npm, yarn or pnpm starts here, where it is one alone.
func (c simple) behindPackage(script func(dir, name string) string) (inner simple, ok bool) {
	name := first(c.Words[1:])
	if name == "run" || name == "run-script" {
		name = first(c.Words[slices.Index(c.Words, name)+1:])
	}
	if name == "t" || name == "tst" {
		name = "test"
	}
	all := shell.Split(script(c.Dir, name))
	if len(all) != 1 {
		return simple{}, false
	}
	return simple{all[0]}, true
}

// handOn hands an option on to the script that npm, yarn or pnpm starts.
func (c simple) handOn(line, option string) string {
	if path.Base(c.Words[0]) != "yarn" && !slices.Contains(c.Words, "--") {
		option = "-- " + option
	}
	return c.after(line, len(c.Words)-1, option)
}

// text reads a file of the tree; "" is none that can be read.
func (e *evaluation) text(file string) string {
	name, err := e.tree.name(file)
	if err != nil {
		return ""
	}
	const most = 1 << 20
	data, err := e.tree.read(name, most)
	if err != nil {
		return ""
	}
	return string(data)
}

// script reads a script of package.json in a folder of the tree.
func (e *evaluation) script(dir, name string) string {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(e.text(path.Join(dir, "package.json"))), &p) != nil {
		return ""
	}
	return p.Scripts[name]
}
