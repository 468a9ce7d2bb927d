package judge

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// What tools of coverage and scripts around them print where the coverage is too low, as in
// "ERROR: Coverage for lines (88.8%) does not meet global threshold (90%)", "Required test
// coverage of 90% not reached" and "coverage 80.0% is below 90%".
var (
	tooLittle   = `(?:not|n't) (?:meet|met|reach\w*|satisf\w*)|\bbelow\b|\bunder\b|\bless than\b|\blower than\b|\btoo low\b|\bexpected minimum\b|\bminimum is\b|\bneeds?\b|\bat least\b|<`
	lowCoverage = lazyregexp.New(`(?i)\bcover(?:age|ed)\b.*(?:` + tooLittle + `)|(?:` + tooLittle + `).*\bcover(?:age|ed)\b`)
	// scriptLine matches a line of a script that prints such a message, not the message:
	// make and others print what they run.
	scriptLine = lazyregexp.New(`\$|\becho\b|\bprint|^\s*[+>] |\bif\b.*\bthen\b`)
	// goCovered is a line of coverage of go test, goLine one of those that it, its tools and
	// make print where the tests pass.
	goCovered  = lazyregexp.New(`\bcoverage: \d+\.\d+% of statements|^total:\s+\(statements\)\s+\d`)
	goLine     = lazyregexp.New(`^(?:\s*=== |\s*--- (?:PASS|SKIP): |PASS$|ok\s+\S+\s+(?:\(cached\)|\d[\d.]*s)|\?  |\s+\S+: +coverage: |\s+\S+_test\.go:\d+: |coverage: |\s*\S+\s+coverage: |\S+\.go:\d+:\s+\S+\s+\d+\.\d%$|total:\s+\(statements\)|go (?:test|tool cover) |make(?:\[\d+\])?: )`)
	optionWord = lazyregexp.New(`(?:^|\s)--?[A-Za-z][\w-]*(?:=\S*)?`)
)

// LacksOnlyCoverage reports whether a run of a gate that measures coverage failed for too
// little of it alone: its command ended by itself, as many tests ran as on the base and none
// failed, and the output says that the coverage is too low, or is that of go test with its
// coverage alone: a script may compare the number and say nothing. before is the result on the base,
// or nil. Which tests passed is for the ratchet to compare.
func LacksOnlyCoverage(r loop.Result, before *loop.Result) bool {
	switch t := r.Tests; {
	case r.Verdict != loop.Failed || r.ExitCode == nil || *r.ExitCode == 0 || r.TimedOut || r.Signal != "" || r.CannotStart:
		return false
	case t == nil || t.Run == 0 || t.Failed > 0 || len(t.Failing) > 0:
		return false
	case before != nil && before.Tests != nil && t.Run.Known() && t.Run < before.Tests.Run:
		return false
	}
	for line := range strings.Lines(r.Excerpt) {
		if !scriptLine.MatchString(line) && lowCoverage.MatchString(optionWord.ReplaceAllString(line, "")) {
			return true
		}
	}
	return onlyGoCoverage(r.Excerpt)
}

// onlyGoCoverage reports whether an output has nothing but the passing tests of Go and their
// coverage.
func onlyGoCoverage(output string) bool {
	covered := false
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, " \r\n")
		if line != "" && !goLine.MatchString(line) {
			return false
		}
		covered = covered || goCovered.MatchString(line)
	}
	return covered
}
