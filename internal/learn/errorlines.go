package learn

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

var (
	telling = lazyregexp.New(`(?i)\b(errors?|fail(s|ed|ure)?|panic(ked)?|exception|expected|received|want(ed)?|got|undefined|undeclared|cannot|can't|missing|not found|no such|assert\w*|\w+Error|mismatch|denied|refused|timed? ?out)\b|!=|^E  `)
	sharp   = lazyregexp.New(`\b\w+(Error|Exception)\b.*:|!=|(?i)\b(expected|received|want(ed)?|got|undefined|undeclared|panic:|cannot|not found|no such)\b`)
	counted = lazyregexp.New(`(?i)\b(0|no) (errors?|fail\w*|problems?|warnings?)\b`)
)

// errorLines are the first lines that tell of a failure, verbatim, with the line
// after each of them; where none look like it, the last lines of all.
func errorLines(output string) []string {
	lines := strings.Split(text.Clean(output), "\n")
	var out []string
	left := mostError
	take := func(line string) bool {
		line = text.Head(strings.TrimRight(line, " \t"), mostPath)
		if strings.TrimSpace(line) == "" {
			return true
		}
		if left -= len(line); left < 0 || len(out) == mostLines {
			return false
		}
		out = append(out, line)
		return true
	}
	for i, taken := 0, -1; i < len(lines); i++ {
		tells := telling.MatchString(lines[i]) && !counted.MatchString(lines[i])
		follows := taken >= 0 && i == taken+1
		if tells {
			taken = i
		}
		if (tells || follows) && !take(lines[i]) {
			return out
		}
	}
	if len(out) > 0 {
		return out
	}
	const tail = 5
	for _, l := range lines[max(0, len(lines)-tail):] {
		take(l)
	}
	return out
}
