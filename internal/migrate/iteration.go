package migrate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// iterations reads a list of iterations with the field names of any runner. gate is
// the gate of all of them; empty is unknown.
func (f fields) iterations(gate string, names ...string) []loop.Attempt {
	var out []loop.Attempt
	for i, v := range f.list(names...) {
		if m, ok := v.(map[string]any); ok {
			out = append(out, newFields(f.at+names[0]+"[].", m, f.lost).attempt(i+1, gate))
			continue
		}
		f.wrong(names[0], "holds something that is not an iteration")
	}
	return out
}

// attempt reads one iteration; n is its number where it has none. Whether it changed
// anything is rarely recorded: it counts as changed, since only no-op attempts that
// ralph observed itself may count against a loop.
func (f fields) attempt(n int, gate string) loop.Attempt {
	a := loop.Attempt{
		N:         cmp.Or(f.whole("iter", "iteration", "number", "attempt", "n"), n),
		StartedAt: f.when("started_at", "startTime", "startedAt"),
		EndedAt:   f.when("at", "ended_at", "endTime", "completed_at", "timestamp"),
		Changed:   true, Files: f.texts(50, "files_modified", "filesModified", "files"),
		Fingerprint: f.hash("error_hash", "errorHash", "hash"),
	}
	a.Approach.Shift, _ = f.flag("shift", "strategy_shift", "strategyShift")
	a.Agent.Session = text.Clip(f.text("session_id", "sessionId"), 100)
	a.Agent.Duration = time.Duration(f.whole("duration_ms", "duration")) * time.Millisecond
	f.result(&a, cmp.Or(text.Clip(f.text("gate", "quality_gate"), 60), gate))
	f.rest("is not kept of an iteration")
	return a
}

// result fills in the result of the iteration.
func (f fields) result(a *loop.Attempt, gate string) {
	passed, word := f.passed(a)
	message := text.Clip(f.text("message", "error", "summary", "reason"), 500)
	a.Verdict = loop.Passed
	if !passed {
		a.Verdict, a.FailedGate, a.Error = loop.Failed, gate, cmp.Or(message, word, "did not pass")
	}
	r := loop.Result{
		Gate: gate, Kind: kindOf(gate), Level: loop.Hard, Verdict: a.Verdict, Reason: message,
		Value: f.number("value", "current_value"), Excerpt: text.Middle(strings.Trim(f.text("output", "test_output"), "\r\n"), mostOutput),
		ExitCode: f.exit("exit_code", "exitCode"), Fingerprint: a.Fingerprint, StartedAt: a.StartedAt,
	}
	if gate == "" { // There was no check: the code is the agent's own.
		a.Agent.ExitCode = r.ExitCode
		return
	}
	a.Results = append(a.Results, r)
}

// passed returns the runner's verdict on the iteration. If that is only a model's
// opinion of its own work (seed 001, level 2), a note says so.
func (f fields) passed(a *loop.Attempt) (passed bool, word string) {
	word = f.word("status", "result", "outcome")
	if m := f.object("analysis"); len(m.m) > 0 {
		return m.claims(a), cmp.Or(m.word("failureClass"), word)
	}
	if is, known := f.flag("passed", "success"); known {
		return is, word
	}
	meant, known := meaning(word)
	return known && meant == Passed, word
}

func (f fields) claims(a *loop.Attempt) bool {
	done, _ := f.flag("completed")
	success, _ := f.flag("success")
	note := "was judged by a model, no check was run"
	if p := f.number("completionPercentage"); p != nil {
		note += fmt.Sprintf("; it thought the work %.4g %% done", *p)
	}
	a.Notes = append(a.Notes, note)
	a.Agent.Words = text.Clip(f.text("learnings"), 500)
	f.rest("is not kept of an iteration")
	return done && success
}

// exit returns the exit code of a program; -1 if it could not be started.
func (f fields) exit(names ...string) *int {
	v := f.number(names...)
	if v == nil || *v < -1 || *v > 255 || *v != math.Trunc(*v) {
		return nil
	}
	return new(int(*v))
}

var hexadecimal = lazyregexp.New(`^[0-9a-f]{8,64}$`)

// hash returns a fingerprint: the first 8 digits.
func (f fields) hash(names ...string) string {
	text := strings.ToLower(f.text(names...))
	switch {
	case text == "":
		return ""
	case !hexadecimal.MatchString(text):
		f.wrong(names[0], "is not a hash of at least 8 hexadecimal digits")
		return ""
	}
	return text[:8]
}

// kindOf returns the kind of a gate by its name in the seeds.
func kindOf(gate string) loop.Kind {
	switch gate {
	case "tests", "test":
		return loop.KindTests
	case "coverage":
		return loop.KindCoverage
	case "visual":
		return loop.KindVisual
	case "lint":
		return loop.KindLint
	case "types":
		return loop.KindTypes
	case "spec", "spec-review", "spec-compliance", "quality", "quality-review":
		return loop.KindReview
	}
	return loop.KindCommand
}

// mostOutput is how many lines of output are kept (seed 004).
const mostOutput = 100

// The usual ends of a command in a completion criterion.
var expectation = lazyregexp.New(`(?i)\s+(must |should |that )?(passes|pass|succeeds|succeed|is green|exits? (with )?(code |status )?0|exits? zero|returns 0|exit code 0)\.?$`)

var quotedText = lazyregexp.New(`'[^']*'|"(\\.|[^"\\])*"`)

// Command returns the command line in a completion criterion: "npm test", "`make
// check`", "go test ./... passes". It refuses what may be prose, since a gate that
// runs something else proves nothing.
func (f *Found) Command() (command string, ok bool) {
	text := strings.TrimSpace(f.Completion)
	if text == "" || len(text) > 4096 || strings.ContainsAny(text, "\n\r\x1b") {
		return "", false
	}
	text = expectation.ReplaceAllString(text, "")
	if inner, found := strings.CutPrefix(text, "`"); found && strings.Count(inner, "`") == 1 && strings.HasSuffix(inner, "`") {
		text = strings.TrimSpace(strings.TrimSuffix(inner, "`"))
	}
	words := strings.Fields(quotedText.ReplaceAllString(text, "_"))
	if len(words) == 0 || slices.ContainsFunc(words, prose) {
		return "", false
	}
	first := words[0]
	for strings.Contains(first, "=") && len(words) > 1 { // VAR=value command
		words = words[1:]
		first = words[0]
	}
	known := slices.Contains(programs(), first) || strings.HasPrefix(first, "./") || strings.HasPrefix(first, "scripts/") || strings.HasPrefix(first, "bin/")
	return text, known
}

// prose are words that do not occur in command lines outside of quotes.
func prose(word string) bool {
	switch strings.ToLower(strings.TrimRight(word, ".,;:")) {
	case "passes", "pass", "passing", "succeeds", "should", "must", "is", "are", "and", "or", "with", "without",
		"the", "no", "exits", "returns", "until", "when", "works", "errors", "above", "below", "≥", "green":
		return true
	}
	return false
}

// programs are the usual first words of completion criteria.
func programs() []string {
	return []string{
		"npm", "npx", "yarn", "pnpm", "bun", "bunx", "node", "deno", "tsc", "vitest", "jest", "mocha", "eslint",
		"go", "golangci-lint", "staticcheck", "make", "just", "task", "cargo", "pytest", "python", "python3", "tox", "nox",
		"uv", "poetry", "ruff", "mypy", "ruby", "bundle", "rake", "rspec", "mvn", "gradle", "bazel", "cmake", "ctest", "ninja",
		"dotnet", "php", "phpunit", "composer", "swift", "xcodebuild", "zig", "mix", "sbt", "lein", "stack", "cabal", "dart", "flutter",
		"docker", "sh", "bash", "test", "grep", "diff", "true", "false", "git", "env", "ls", "cat", "[",
	}
}
