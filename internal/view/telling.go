package view

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// mostTelling lines of a failure stand among the lines of a run.
const mostTelling = 6

var errorLooking = lazyregexp.New(`(?i)\b(error|errors|fail|failed|failure|panic|fatal|exception|assert\w*|expected|undefined|cannot|no such|not found|not ok|traceback)\b|✕|✗|✘`)

// telling picks the lines of a failure that a person wants to see first, word
// for word and in one piece: from the first that looks like an error, else the
// last ones.
func telling(r loop.Result) []string {
	var lines []string
	for l := range strings.SplitSeq(text.Clean(r.Excerpt), "\n") {
		if strings.Trim(l, " \t-=_") != "" { // a line of dashes tells nothing
			lines = append(lines, strings.TrimRight(l, " \t"))
		}
	}
	for i, l := range lines {
		if errorLooking.MatchString(l) {
			return untabbed(lines[i:min(len(lines), i+mostTelling)])
		}
	}
	return untabbed(lines[max(0, len(lines)-mostTelling):])
}

func untabbed(lines []string) []string {
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "\t", "    ")
	}
	return lines
}
