package ratchet

import (
	"maps"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	rerunFlag = lazyregexp.New(`(?:^|\s)--?(?:rerun-fails|reruns|retries|retry|test-retries|lf|last-failed|onlyFailures|only-failures|rerun-failed)(?:[=\s]|$)`)
	rerunLoop = lazyregexp.New(`\b(?:until|while)\b[^\n]*\bdo\b|\bdo\b[^\n]*&&\s*(?:break|exit 0)\b|(?:^|[;&|]\s*)retry\s|(?m:^[ \t]*until\s)|(?s:\bdo\b.{0,400}?\b(?:break|exit 0)\b.{0,200}?\bdone\b)`)
	// ReadsLines matches the head of a loop over the lines of a file, which repeats nothing.
	ReadsLines = lazyregexp.New(`\bwhile\s+(?:IFS=\S*\s+)?read\b`)
	// commandEnd is where one command of a shell ends; the sign || is kept.
	commandEnd = lazyregexp.New(`\s*(?:\|\||&&|[;\n(){}])\s*`)
)

// Reruns reports whether a command runs tests that failed once more, by an option of
// their runner, in a loop, or since it names the same command behind "||".
func Reruns(command string) bool {
	if rerunFlag.MatchString(command) || rerunLoop.MatchString(command) {
		return true
	}
	ends := commandEnd.FindAllStringIndex(command, -1)
	from, last := 0, ""
	for _, end := range append(ends, []int{len(command), len(command)}) {
		part := strings.TrimSpace(command[from:end[0]])
		if part != "" && part == last {
			return true
		}
		last = ""
		if strings.TrimSpace(command[end[0]:end[1]]) == "||" {
			last = part
		}
		from = end[1]
	}
	return false
}

// Once returns each name once: as passed where one test of the name did, else as failed,
// else as skipped.
func (n Names) Once() Names {
	best := map[string]Outcome{}
	rank := []Outcome{"", TestSkipped, TestFailed, TestPassed}
	for _, t := range n {
		if slices.Index(rank, t.Outcome) > slices.Index(rank, best[t.Name]) {
			best[t.Name] = t.Outcome
		}
	}
	var out Names
	for _, name := range slices.Sorted(maps.Keys(best)) {
		out = append(out, Test{Name: name, Outcome: best[name]})
	}
	return out
}
