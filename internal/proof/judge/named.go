package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/syntax"
	"ralph/internal/text/shell"
)

// reach is the second step of a judgement: the files that the gate reaches.
type reach struct {
	*Diff
	// named are those that its command, its configuration and its scripts name or load, direct
	// those that its command names itself or that it opened.
	named, direct map[string]bool
	// tasks are those that a target of a Makefile on the base would be, programs the folders that
	// the gate puts on PATH, and mentions the sources that a script of the gate names.
	tasks, programs, mentions map[string]bool
	// computing are scripts of awk that are the product.
	computing map[string]bool
	// pythonGlobs and pythonNames are the files and the tests that pytest collects by the
	// configuration of the base.
	pythonGlobs, pythonNames []string
}

// reach finds all that the gate reaches: first what its command and the configuration name, then
// what scripts do among these.
func (d *Diff) reach() (*reach, error) {
	r, err := d.reachDirectly()
	if err != nil {
		return nil, err
	}
	for _, more := range []func() error{r.loaded, r.follow, r.pluginsOfTests} {
		if err := more(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// reachDirectly finds the files of the base that the gate's command names, and those that it
// opened and that are scripts.
func (d *Diff) reachDirectly() (*reach, error) {
	r := &reach{Diff: d, named: map[string]bool{}, direct: map[string]bool{}, tasks: map[string]bool{}, programs: map[string]bool{}, mentions: map[string]bool{}}
	if err := r.findComputing(); err != nil {
		return nil, err
	}
	n := naming{reach: r, dir: r.gateDir()}
	n.line(r.Gate.Run, "")
	n.path(r.Gate.Run + " " + r.Gate.Env["PATH"])
	r.opens()
	return r, nil
}

// naming finds the files that a command names.
type naming struct {
	*reach
	// dir is the folder of the gate.
	dir string
	// byName are the base's files by the last part of their path.
	byName map[string][]string
	// ofShell: the project's language is shell.
	ofShell bool
}

// line adds the files that a command line names, from a folder below that of the gate.
func (n *naming) line(line, from string) {
	all := shell.Split(line)
	for i := range all {
		all[i].Dir = path.Join(from, all[i].Dir)
	}
	for i, c := range all {
		substituted := i > 0 && n.readerOf(all[i-1]) == comparing && strings.HasSuffix(all[i-1].Words[len(all[i-1].Words)-1], "<") // diff want <(program)
		n.command(c, substituted || n.isExamined(all, i))
	}
}

// command adds the files that a command names. examined: another command looks at its
// output, so that the program is the work, and what it reads judges.
func (n *naming) command(c shell.Command, examined bool) {
	dir := path.Join(n.dir, c.Dir)
	for i, w := range c.Words {
		work := examined && i == Script(c.Words) || n.compiles(dir, c.Words, w)
		if i > 0 && (onlyLooks(c.Words, i) || onlyDoctested(c)) || work && !checkLike.MatchString(w) {
			continue
		}
		n.word(dir, w)
		if _, value, ok := strings.Cut(w, "="); ok {
			n.word(dir, value)
		}
	}
	n.program(dir, c.Words)
	for i, w := range c.Words {
		if w == "-c" && i+1 < len(c.Words) && isShell(c.Words[0]) {
			n.line(c.Words[i+1], c.Dir)
		}
	}
}

// word adds the file of a word; tests are named as file::test and file:line.
func (n *naming) word(dir, w string) {
	for _, name := range []string{w, syntax.Before(w, "::"), syntax.Before(w, ":")} {
		if name == "" || strings.HasPrefix(name, "/") {
			continue
		}
		p := path.Join(dir, name)
		if strings.ContainsAny(name, "*?[") {
			n.pattern(p)
			continue
		}
		if _, here := n.Before[p]; here && manifest.Of(p) == nil {
			n.named[p], n.direct[p] = true, true
		}
	}
}

// pattern adds the scripts that a pattern of the shell names: in "for t in checks/*"
// they are run one by one. Other files that it names are mostly what is checked.
func (n *naming) pattern(glob string) {
	n.ofShell = n.isShell()
	for p := range n.Before {
		if ok, err := path.Match(glob, p); err == nil && ok && n.reached(p) {
			n.named[p], n.direct[p] = true, true
		}
	}
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash"}, path.Base(name))
}

// program adds the files of "go run ./tools/check" and "python -m tools.check".
func (n *naming) program(dir string, words []string) {
	name, args := path.Base(words[0]), words[1:]
	switch {
	case name == "go" && len(args) > 0 && args[0] == "run":
		for _, a := range args[1:] {
			for p := range n.Before {
				if proof.DirOf(p) == path.Join(dir, a) {
					n.named[p], n.direct[p] = true, true
				}
			}
		}
	case strings.HasPrefix(name, "python"):
		i := slices.Index(args, "-m")
		if i < 0 || i+1 >= len(args) {
			return
		}
		module := strings.ReplaceAll(args[i+1], ".", "/")
		n.word(dir, module+".py")
		n.word(dir, module+"/__main__.py")
	}
}

// onlyLooks reports whether a program only reads the file in a word: in
// "grep -q fixed README.md" README.md is the work, not the judge, and so is tax.py in
// "mypy tax.py" and "python -m py_compile tax.py". The patterns of grep -f and the
// settings of a linter are judges.
func onlyLooks(words []string, i int) bool {
	name, before := path.Base(words[0]), words[i-1]
	if at := slices.Index(words[:i], "-m"); strings.HasPrefix(name, "python") && at > 0 && at+1 < i {
		name = words[at+1]
	}
	switch {
	case slices.Contains([]string{"grep", "egrep", "fgrep", "rg"}, name):
		return !patternsFollow.MatchString(before)
	case slices.Contains([]string{"test", "[", "ls", "wc", "stat"}, name):
		return true
	case slices.Contains(inspectors, name):
		return !strings.HasPrefix(words[i], "-") && !slices.Contains(takesSettings, before)
	}
	return onlyParses(name, before)
}

// onlyParses reports whether an interpreter only parses its file with this option.
func onlyParses(name, option string) bool {
	switch name {
	case "node":
		return option == "--check" || option == "-c"
	case "php":
		return option == "-l"
	case "perl", "ruby":
		return option == "-c"
	}
	return isShell(name) && option == "-n"
}

var (
	// inspectors read sources and run nothing of them.
	inspectors = []string{
		"py_compile", "compileall", "tabnanny", "mypy", "pyright", "pyflakes", "flake8", "pylint", "ruff", "black", "isort", "pycodestyle", "pydocstyle",
		"bandit", "vulture", "eslint", "tsc", "prettier", "biome", "jshint", "gofmt", "goimports", "golint", "staticcheck", "shellcheck", "shfmt",
		"rustfmt", "clang-format", "clang-tidy", "cppcheck", "yamllint", "jsonlint", "xmllint",
	}
	// takesSettings are their options that name a file of settings.
	takesSettings = []string{
		"-c", "--config", "--config-file", "--rcfile", "--settings", "--settings-path", "--ignore-path", "--ignore-file", "-p", "--project",
		"--style-file", "--rulesdir",
	}
	// interpreters run the file that they are given.
	interpreters = []string{
		"python", "python2", "python3", "node", "deno", "bun", "ruby", "perl", "php", "tclsh", "lua", "awk", "gawk",
	}
	// checkLike matches the name of a file that checks something.
	checkLike = lazyregexp.New(`(?i)check|test|spec|suite|harness|verif|validat|lint|assert|expect|compar|eval|grade|score|proof|judge|gate`)
	// compilers build a program of the sources that they are given.
	compilers = []string{
		"cc", "gcc", "clang", "tcc", "c++", "g++", "clang++", "rustc", "javac", "kotlinc",
	}
	hasMain = lazyregexp.New(`\bmain\s*\(`)
)

// Script is the word of a command that is its program: the first one, or the file that an
// interpreter or a shell is given.
func Script(words []string) int {
	name := path.Base(words[0])
	if name != "." && name != "source" && !isShell(name) && !slices.Contains(interpreters, name) {
		return 0
	}
	if i := slices.IndexFunc(words[1:], func(w string) bool { return !strings.HasPrefix(w, "-") }); i >= 0 {
		return i + 1
	}
	return 0
}

// compiles reports whether a compiler makes a program of the file in a word together with
// another one, which has the program's main function: it is the work that this one checks.
func (n *naming) compiles(dir string, words []string, w string) bool {
	if !slices.Contains(compilers, path.Base(words[0])) {
		return false
	}
	main := func(w string) bool {
		f, here := n.Before[path.Join(dir, w)]
		if !here {
			return false
		}
		data, err := n.Content(f.ID)
		return err == nil && hasMain.MatchString(string(data))
	}
	return !main(w) && slices.ContainsFunc(words, main)
}

// path finds the folders that a command puts on PATH.
func (n *naming) path(line string) {
	if !strings.Contains(line, "PATH") && n.Gate.Env["PATH"] == "" {
		return
	}
	for _, w := range nameLike.FindAllString(line, -1) {
		if w = strings.Trim(strings.TrimPrefix(w, "PWD/"), "/"); w != "" && w != "." {
			n.programs[path.Join(n.dir, w)] = true
		}
	}
}

// setsPath matches an assignment to PATH in a Makefile.
var setsPath = lazyregexp.New(`(?m)^[^#\n]*\bPATH\b[ \t]*[:+?]*=.*$`)

// searchPath finds the folders that a Makefile puts on PATH.
func (n *naming) searchPath(dir, makefile string) {
	in := naming{reach: n.reach, dir: dir}
	for _, line := range setsPath.FindAllString(makefile, -1) {
		in.path(line)
	}
}

// nameLike is what could be a path in a script.
var nameLike = lazyregexp.New(`[\w.@+/-]+`)
