package judge

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// A gate can build the program that checks: "gcc check/check.c tax.c", "cargo run --bin
// check", "java Check". Its sources judge, and those of the product that it is linked with
// do not. It is known by its name, or since it compares what the product gives for known
// values and takes nothing from its caller, as products do.

// compiledLanguage is what tells a program that checks in a language that is compiled.
type compiledLanguage struct {
	// main matches the beginning of a program, asks what takes something from the caller.
	main, asks *lazyregexp.Regexp
	// fails matches an assertion. It counts where a command names the program itself.
	fails *lazyregexp.Regexp
}

var compiledLanguages = map[string]compiledLanguage{
	"c": {
		lazyregexp.New(`\bmain\s*\(`),
		lazyregexp.New(`\bargv\s*\[\s*\w|\bargc\s*,\s*argv\b|\bgetopt|\bscanf\s*\(|\bfgets\s*\(|\bgetchar\b|\bgetline\s*\(|\bread\s*\(\s*(?:0|STDIN)|\bstdin\b|\bcin\b|\baccept\s*\(|\blisten\s*\(`), nil,
	},
	"rust": {
		lazyregexp.New(`\bfn\s+main\b`),
		lazyregexp.New(`\benv::args|\bargs_os\b|\bstdin\b|\bTcpListener\b|\bclap\b|\bstructopt\b|\bpico_args\b`),
		lazyregexp.New(`\bassert(?:_eq|_ne)?!`),
	},
	"jvm": {
		lazyregexp.New(`\bvoid\s+main\b|\bfun\s+main\b`),
		lazyregexp.New(`\bSystem\.in\b|\bScanner\b|\breadLine\b|\breadln\b|\bServerSocket\b|\bSpringApplication\b`),
		lazyregexp.New(`\bAssertionError\b|(?m)^\s*assert\s`),
	},
	"go": {
		lazyregexp.New(`(?m)^func main\(\)`),
		lazyregexp.New(`\bos\.Args\b|\bflag\.|\bos\.Stdin\b|"net/http"|/cobra"`), nil,
	},
}

var (
	// mainArguments matches the parameter of main in Java and Kotlin.
	mainArguments = lazyregexp.New(`\bmain\s*\((?:final\s+)?(?:String\s*(?:\[\s*\]|\.\.\.)\s*(\w+)|(\w+)\s*:\s*Array)`)
	// nameWords matches the words of a path, also of a name as TaxCheck.
	nameWords = lazyregexp.New(`[A-Z]*[a-z]+|[A-Z]+`)
	// checkWords are words in the names of programs that check.
	checkWords = []string{
		"check", "checks", "checker", "checking", "selfcheck", "selftest", "test", "tests", "tester", "testing", "unittest", "spec", "specs", "verify",
		"verifies", "verifier", "verification", "acceptance", "conformance", "expect", "expected", "assert", "asserts", "assertions", "smoke", "xtask",
	}
	// sourceLike is what could be a source, what is built of it, or a pattern of sources.
	sourceLike = lazyregexp.New(`[\w.@+/*?-]+`)
)

// checkName reports whether a word of a path names a check.
func checkName(p string) bool {
	return slices.ContainsFunc(nameWords.FindAllString(p, -1), func(w string) bool { return slices.Contains(checkWords, strings.ToLower(w)) })
}

// program is one that the commands of a gate build and run.
type program struct {
	// sources are those that could hold its main function, all those that are its own with
	// them.
	sources, all []string
	// run: a command names the program itself. examined: the commands compare its output.
	run, examined bool
}

// addPrograms adds the sources of the programs that the commands of a text build and run,
// as far as they check. Of some it is unknown: see doubtful.
func (r *running) addPrograms(t gateText, dir string) error {
	named, err := r.namedPrograms(t, dir)
	if err != nil {
		return err
	}
	for _, p := range append(named, r.linked(t, dir)...) {
		var folders []string
		for _, q := range p.sources {
			is, doubt, err := r.verifies(q, p)
			if err != nil {
				return err
			}
			r.doubtful[q] = r.doubtful[q] || doubt
			if is {
				folders = append(folders, proof.DirOf(q))
				r.addChecker(q)
			}
		}
		for _, q := range p.all {
			if slices.ContainsFunc(folders, func(dir string) bool { return dir == "." || q == dir || strings.HasPrefix(q, dir+"/") }) {
				r.addChecker(q)
			}
		}
	}
	return nil
}

func (r *running) addChecker(p string) {
	if !r.checkers[p] {
		r.checkers[p] = true
		r.todo = append(r.todo, p)
	}
}

// verifies reports whether a source is that of a program that checks. doubt: it is unknown.
func (r *running) verifies(q string, p program) (is, doubt bool, err error) {
	f := r.Before[q]
	data, err := r.Content(f.ID)
	if err != nil || len(data) > longestScript || !proof.IsFile(f) {
		return false, false, err
	}
	text, named, lang := string(data), checkName(q), compiledLanguages[proof.LanguageOf(q)]
	if !lang.main.MatchString(text) || p.examined && !named {
		return false, false, nil
	}
	asks := lang.asks.MatchString(text)
	if m := mainArguments.FindStringSubmatch(text); m != nil {
		asks = asks || len(regexp.MustCompile(`\b`+m[1]+m[2]+`\b`).FindAllString(text, 2)) > 1
	}
	switch {
	case named:
		return p.run || !asks, asks, nil
	case asks:
		return false, false, nil
	case expectsValues(text), p.run && lang.fails != nil && lang.fails.MatchString(text):
		return true, false, nil
	}
	return false, p.run, nil
}

// namedPrograms are the programs that the commands of a text run by their own names.
func (r *running) namedPrograms(t gateText, dir string) (found []program, err error) {
	for _, line := range t.commandLines() {
		all, near := shell.Split(line), naming{reach: r.reach, dir: dir}
		for i, c := range all {
			in := path.Join(dir, c.Dir)
			programs, err := r.programsOf(in, c.Words)
			if err != nil {
				return nil, err
			}
			for _, p := range programs {
				p.run, p.examined = true, near.isExamined(all, i)
				found = append(found, p)
			}
		}
	}
	return found, nil
}

// programsOf are the programs that one command runs in a folder.
func (r *running) programsOf(dir string, words []string) ([]program, error) {
	switch name := path.Base(words[0]); {
	case name == "cargo":
		return r.cargoPrograms(dir, words[1:])
	case name == "java" || name == "kotlin":
		return r.classes(words[1:]), nil
	case name == "go" && len(words) > 2 && words[1] == "run":
		var p program
		for _, f := range r.Base {
			q := f.Path
			if _, test := proof.IsTest(q); !test && proof.LanguageOf(q) == "go" && slices.ContainsFunc(words[2:], func(w string) bool { return path.Join(dir, w) == q || path.Join(dir, w) == proof.DirOf(q) }) {
				p.sources = append(p.sources, q)
			}
		}
		p.all = p.sources
		return []program{p}, nil
	}
	return nil, nil
}

// classes are the programs of the JVM whose class a command names.
func (r *running) classes(words []string) []program {
	var p program
	for _, f := range r.Base {
		q := f.Path
		stem := strings.TrimSuffix(path.Base(q), path.Ext(q))
		if proof.LanguageOf(q) == "jvm" && slices.ContainsFunc(words, func(w string) bool {
			w = strings.TrimSuffix(w[strings.LastIndexAny(w, "/.")+1:], "Kt")
			return w == stem
		}) {
			p.sources = append(p.sources, q)
		}
	}
	p.all = r.beside(p.sources)
	return []program{p}
}

// linked are the sources of C, and of Rust where no cargo builds it, that a text names by
// their paths, by patterns, or by what is built of them.
func (r *running) linked(t gateText, dir string) []program {
	names, patterns := map[string]bool{}, []string{}
	for _, line := range t.commandLines() {
		for _, w := range sourceLike.FindAllString(line, -1) {
			w = strings.TrimLeft(path.Clean("/"+w), "/")
			switch {
			case !strings.ContainsAny(w, "*?"):
				names[w] = true
			case proof.LanguageOf(w) == "c":
				patterns = append(patterns, w)
			}
		}
	}
	rust := strings.Contains(t.text, "rustc")
	var p program
	for _, f := range r.Base {
		lang := proof.LanguageOf(f.Path)
		if proof.IsFile(f) && (lang == "c" || lang == "rust" && rust) && namesSource(names, patterns, dir, f.Path) {
			p.sources = append(p.sources, f.Path)
		}
	}
	if len(p.sources) > MostFollowed {
		return nil
	}
	p.all = r.beside(p.sources)
	return []program{p}
}

// namesSource reports whether words or patterns of commands, which run in a folder, name a
// source, an object of it, or the program that a rule of make's own builds of it alone.
func namesSource(names map[string]bool, patterns []string, dir, q string) bool {
	ext := path.Ext(q)
	stem := strings.TrimSuffix(q, ext)
	if own, inside := strings.CutPrefix(stem, dir+"/"); names[own] && (inside || dir == ".") {
		return true
	}
	for rest := stem; rest != ""; _, rest, _ = strings.Cut(rest, "/") {
		if names[rest+ext] || names[rest+".o"] || names[rest+".obj"] {
			return true
		}
	}
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		for rest := q; rest != ""; _, rest, _ = strings.Cut(rest, "/") {
			if ok, err := path.Match(pattern, rest); err == nil && ok {
				return true
			}
		}
		return false
	})
}

// beside are the sources in the folders of others that are named like checks, headers among
// them.
func (r *running) beside(sources []string) (found []string) {
	for _, f := range r.Base {
		if proof.IsFile(f) && checkName(f.Path) && slices.ContainsFunc(sources, func(s string) bool {
			return proof.DirOf(s) == proof.DirOf(f.Path) && proof.LanguageOf(s) == proof.LanguageOf(f.Path)
		}) {
			found = append(found, f.Path)
		}
	}
	return found
}

// commandLines are the lines of a text without the marks of make and without comments.
func (t gateText) commandLines() (lines []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(t.text, "\\\n", " "), "\n") {
		if line = strings.TrimLeft(line, "\t @+-"); !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}
