package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/gate/testout"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/text/shell"
)

// ownReport is a report that a runner writes for ralph, beside what it prints: RSpec and
// PHPUnit print no names of the tests that pass. It lies among the temporary files of the
// gate, outside of the tree.
type ownReport struct {
	dir  string
	read func([]byte) (testout.Report, error)
}

func (o ownReport) file() string { return filepath.Join(o.dir, "tests") }

func (o ownReport) remove() {
	if o.dir != "" {
		proc.RemoveTempDir(o.dir)
	}
}

// askReport adds to a command line, or to its environment, that its only runner of tests
// writes such a report. Where that runner may run several times, or would no longer do what
// the project asks of it, both stay as they are.
func (e *evaluation) askReport(line string, env []string) (string, []string, error) {
	c, ok := onlyRunner(line)
	if !ok || e.reading.off || e.reading.junit != "" || e.Gate.Kind != loop.KindTests && e.Gate.Kind != loop.KindCoverage {
		return line, env, nil
	}
	const file = "\x00" // the place of the report, which is made only where it is written
	asked, opts := line, ""
	own := ownReport{}
	switch {
	case runnerName(c) == "rspec":
		opts, own.read = rspecReport(c, env, e.text, file), testout.RSpecJSON
	case plainLine(line):
		asked, own.read = phpunitReport(c, line, e.text, file), testout.JUnitXML
	}
	if asked == line && opts == "" {
		return line, env, nil
	}
	var err error
	if own.dir, err = proc.TempDir(lookup(e.Env, "TMPDIR"), "tests"); err != nil {
		return line, env, err
	}
	e.own = own
	if opts != "" {
		opts = strings.TrimSpace(lookup(env, "SPEC_OPTS") + " " + strings.ReplaceAll(opts, file, own.file()))
		env = environment(env, map[string]string{"SPEC_OPTS": opts})
	}
	return strings.ReplaceAll(asked, file, own.file()), env, nil
}

// repeats are words of a shell behind which a command may run several times.
var repeats = []string{"for", "while", "until", "do", "xargs", "find", "parallel"}

// onlyRunner is the one command of a line that runs tests, where it is RSpec or PHPUnit.
func onlyRunner(line string) (found simple, ok bool) {
	for _, c := range shell.Split(line) {
		if slices.Contains(repeats, path.Base(c.Words[0])) {
			return simple{}, false
		}
		r, runs := identify(c.Words)
		if runs && (ok || r.name != "rspec" && r.name != "phpunit") {
			return simple{}, false
		}
		if runs {
			found, ok = simple{c}, true
		}
	}
	return found, ok
}

func runnerName(c simple) string {
	r, _ := identify(c.Words)
	return r.name
}

// withOwn adds the names of the tests in the report that was asked for to what was printed.
func (e *evaluation) withOwn(printed testout.Report, seen bool) (r testout.Report, found bool, err error) {
	data, err := e.ownData()
	if errors.Is(err, fs.ErrNotExist) {
		return printed, seen, nil
	}
	var own testout.Report
	if err == nil {
		own, err = e.own.read(data)
	}
	switch {
	case err != nil && seen: // it was cut: the names are unknown
		return printed, seen, nil
	case err != nil:
		return printed, false, fmt.Errorf("report of the tests: %w", err)
	case !seen:
		return own, true, nil
	}
	return printed.Named(own), true, nil
}

func (e *evaluation) ownData() ([]byte, error) {
	if e.own.dir == "" {
		return nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(e.own.dir)
	if err != nil {
		return nil, err
	}
	t := &tree{root: root}
	defer t.close()
	return t.read(filepath.Base(e.own.file()), testout.MaxJUnit)
}

// formatter is one of RSpec's, and the file that it writes; "" is the output.
type formatter struct{ name, out string }

// formatters are those that words choose.
func formatters(words []string) (all []formatter) {
	for i := 0; i < len(words); i++ {
		value, isFormat := optionValue(words, &i, "-f", "--format")
		out, isOut := "", false
		if !isFormat {
			out, isOut = optionValue(words, &i, "-o", "--out")
		}
		switch {
		case isFormat:
			all = append(all, formatter{name: value})
		case isOut && len(all) == 0: // RSpec takes its usual one then
			all = append(all, formatter{name: "progress", out: out})
		case isOut:
			all[len(all)-1].out = out
		}
	}
	return all
}

// optionValue returns the value of an option at a word, which may be the next one.
func optionValue(words []string, i *int, short, long string) (string, bool) {
	w := words[*i]
	if value, ok := strings.CutPrefix(w, long+"="); ok {
		return value, true
	}
	if (w == short || w == long) && *i+1 < len(words) {
		*i++
		return words[*i], true
	}
	if value, ok := strings.CutPrefix(w, short); ok && value != "" && !strings.HasPrefix(w, "--") {
		return value, true
	}
	return "", false
}

// rspecReport are the options by which RSpec writes a report beside what the project chose:
// a formatter in SPEC_OPTS takes the place of all others.
func rspecReport(c simple, env []string, text func(string) string, file string) string {
	if len(formatters(strings.Fields(lookup(env, "SPEC_OPTS")))) > 0 {
		return ""
	}
	chosen := formatters(c.Words[1:])
	for _, name := range []string{".rspec-local", ".rspec"} {
		options := text(path.Join(c.Dir, name))
		if strings.Contains(options, "<%") {
			return ""
		}
		if len(chosen) == 0 {
			chosen = formatters(strings.Fields(strings.NewReplacer(`"`, "", `'`, "").Replace(options)))
		}
	}
	if slices.ContainsFunc(c.Words, func(w string) bool { return strings.HasPrefix(w, "-O") || strings.HasPrefix(w, "--options") }) {
		return ""
	}
	if len(chosen) == 0 {
		chosen = []formatter{{name: "progress"}}
	}
	var b strings.Builder
	for _, f := range append(chosen, formatter{"json", file}) {
		b.WriteString(" --format " + f.name)
		if f.out != "" {
			b.WriteString(" --out " + quoted(f.out))
		}
	}
	return b.String()[1:]
}

// quoted is a word of a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// phpunitLogs matches a configuration by which PHPUnit writes such a report itself, which
// the option would keep it from.
var phpunitLogs = lazyregexp.New(`<junit\b|type="junit"`)

// phpunitReport adds the option by which PHPUnit writes a report.
func phpunitReport(c simple, line string, text func(string) string, file string) string {
	configured := []string{"phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"}
	for i := 0; i < len(c.Words); i++ {
		if strings.HasPrefix(c.Words[i], "--log-junit") {
			return line
		}
		if name, ok := optionValue(c.Words, &i, "-c", "--configuration"); ok {
			configured = append(configured, name, path.Join(name, "phpunit.xml"), path.Join(name, "phpunit.xml.dist"))
		}
	}
	for _, name := range configured {
		if phpunitLogs.MatchString(text(path.Join(c.Dir, name))) {
			return line
		}
	}
	at := slices.IndexFunc(c.Words, func(w string) bool { return path.Base(w) == "phpunit" })
	option := "--log-junit " + quoted(file)
	switch next := at + 1; {
	case c.Words[0] != "composer" || c.Words[at-1] == "--":
	case next < len(c.Words) && c.Words[next] == "--":
		at = next
	default:
		option = "-- " + option
	}
	return c.after(line, at, option)
}
