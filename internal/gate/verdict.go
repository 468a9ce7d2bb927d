package gate

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/gate/testout"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text"
	"ralph/internal/text/shell"
)

// verdict is the result of a gate with its one-line reason.
type verdict struct {
	loop.Verdict
	reason      string
	cannotStart bool
	// about are the lines that identify a failure that ralph found itself rather
	// than in the command's output.
	about []string
}

func passing(format string, args ...any) verdict {
	return verdict{Verdict: loop.Passed, reason: fmt.Sprintf(format, args...)}
}

// failing is for failures whose reason is in the output.
func failing(v loop.Verdict, format string, args ...any) verdict {
	return verdict{Verdict: v, reason: text.Clip(fmt.Sprintf(format, args...), longestReason)}
}

// finding is for failures that ralph found.
func finding(v loop.Verdict, format string, args ...any) verdict {
	f := failing(v, format, args...)
	f.about = []string{f.reason}
	return f
}

const longestReason = 300

// testsFailed formats the number of failed tests, and the first of them. There is
// no number where the runner does not name those that passed, or where something
// could not be tested at all.
func testsFailed(r testout.Report) string {
	of := fmt.Sprintf("%d of %d tests failed", r.Failed, r.Run)
	switch {
	case len(r.Broken) > 0 && len(r.Broken) == r.Failed:
		of = "not tested, since it does not build or load"
	case len(r.Broken) > 0:
		of = "tests failed, and " + strings.Join(r.Broken[:1], "") + " does not build or load"
	case r.Stopped:
		of = stopped(r)
	case r.AtLeast:
		of = "tests failed"
	}
	var names []string
	for _, f := range r.Failures {
		names = append(names, shortID(f.Format, f.ID))
	}
	names = slices.Compact(names)
	if len(names) == 0 {
		return of
	}
	of += ": " + text.Few(names, 3)
	if line := r.Failures[0].Line; r.Stopped && len(names) == 1 && strings.HasPrefix(line, "panic: ") {
		of += " (" + text.Clip(line, 100) + ")"
	}
	return of
}

// stopped counts the tests that failed before a runner stopped. A package or a file is none.
func stopped(r testout.Report) string {
	tests := r.Failed
	for _, f := range r.Failures {
		if !f.NamesTest() {
			tests--
		}
	}
	if tests < 1 {
		return "the run stopped before its tests ended"
	}
	return text.Plural(tests, "test") + " failed, and others may not have run"
}

// shortID leaves out the package of a Go test, and the middle of a long id.
func shortID(f testout.Format, id string) string {
	if f == testout.GoTest {
		if _, test, ok := strings.Cut(id, ":"); ok {
			id = test
		}
	}
	const longest = 90
	if len(id) > longest {
		id = strings.ToValidUTF8(id[:40], "") + "…" + strings.ToValidUTF8(id[len(id)-45:], "")
	}
	return id
}

// pct formats a percentage, never rounded up to one that was not reached.
func pct(v float64) string {
	return strconv.FormatFloat(math.Floor(v*100+1e-6)/100, 'f', -1, 64) + " %"
}

// Exit codes of sh for a command that it cannot run.
const (
	notExecutable = 126
	notFound      = 127
)

// notFoundLine matches a shell's message about a missing command; dash, bash, zsh
// and busybox word it differently.
var notFoundLine = lazyregexp.New(`(?:^|[\s:])([^\s:]+): (?:command )?not found$|command not found: (\S+)$|: ([^\s:]+): (?:No such file or directory|Permission denied|cannot execute.*)$`)

// notStarted returns the verdict on the two codes. Any program can exit with
// them, so an optional gate is only skipped when the tool, which must be a word
// of the gate's own command, is really not installed.
func (e *evaluation) notStarted(code int) verdict {
	name := e.unfound()
	reason := "command not found: " + name
	if code == notExecutable {
		reason = "command cannot be executed: " + name
	}
	v := finding(loop.Error, "%s", reason)
	v.cannotStart = true
	if e.Gate.Optional && code == notFound && e.notInstalled(name) {
		v.Verdict = loop.Skipped
	}
	return v
}

// unfound returns the command that the shell did not find.
func (e *evaluation) unfound() string {
	lines := e.out.facts.Lines()
	for _, l := range slices.Backward(lines) {
		for _, name := range notFoundLine.FindStringSubmatch(l) {
			if name != "" && !strings.ContainsAny(name, " \t") {
				return name
			}
		}
	}
	if c := shell.Split(e.Gate.Run); len(c) > 0 {
		return c[0].Words[0]
	}
	return e.Gate.Run
}

// noModuleLine matches Python's message about the module that -m names; one that a
// program imports is quoted.
var noModuleLine = lazyregexp.New(`^\S*python\S*: No module named ([^\s';]+)`)

// absentModule returns the module that the gate's own command runs with python -m and
// that is not installed, or "".
func (e *evaluation) absentModule() string {
	if e.exit.Code == nil || *e.exit.Code == 0 {
		return ""
	}
	for _, l := range e.out.facts.Lines() {
		found := noModuleLine.FindStringSubmatch(l)
		for _, c := range shell.Split(e.Gate.Run) {
			i := slices.Index(c.Words, "-m")
			if found != nil && i >= 0 && i+1 < len(c.Words) && c.Words[i+1] == found[1] {
				return found[1]
			}
		}
	}
	return ""
}

// notInstalled looks for a tool on the gate's own PATH.
func (e *evaluation) notInstalled(name string) bool {
	if strings.ContainsAny(name, `/\`) || !e.mentions(name) {
		return false
	}
	for _, dir := range filepath.SplitList(lookup(environment(e.Env, e.Gate.Env), "PATH")) {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.tree.abs(), dir)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return false
		}
	}
	return true
}

func (e *evaluation) mentions(name string) bool {
	for _, c := range shell.Split(e.Gate.Run) {
		if c.Words[0] == name {
			return true
		}
	}
	return false
}
