package prompt

import (
	"fmt"
	"strings"

	"ralph/internal/report/clean"
)

// quoter turns foreign text into blocks of data. Block is the most bytes one
// may have.
type quoter struct {
	nonce string
	block int
}

// data is the block of a text that was cut already; empty for no text.
func (q quoter) data(label, body string) string {
	body = strings.Trim(body, "\n")
	if body == "" {
		return ""
	}
	// A nonce that leaked into foreign text would let it write its own end.
	body = strings.ReplaceAll(body, q.nonce, "[nonce]")
	fence := strings.Repeat("`", max(3, longestRun(body)+1))
	return fmt.Sprintf("BEGIN DATA %s (%s)\n%s\n%s\n%s\nEND DATA %s", q.nonce, q.word(label), fence, body, fence, q.nonce)
}

// evidence keeps the end of a text, head its beginning, whole both ends.
func (q quoter) evidence(label, s string) string {
	return q.data(label, keepTail(clean.Text(s), q.block))
}

func (q quoter) head(label, s string) string {
	return q.data(label, keepHead(clean.Text(s), q.block))
}

func (q quoter) whole(label, s string, most int) string {
	return q.data(label, keepEnds(clean.Text(s), most))
}

// wordBytes bounds a name, a reason, a path.
const wordBytes = 400

// word is a short foreign text on one line. Backticks become quotes, so that
// it can stand in a code span.
func (q quoter) word(s string) string {
	s = strings.ReplaceAll(clean.Line(s), q.nonce, "[nonce]")
	return keepStart(strings.ReplaceAll(s, "`", "'"), wordBytes)
}

// code is a command line as a code span, with its spaces and backticks. Line
// ends are shown, not obeyed.
func (q quoter) code(s string) string {
	s = strings.ReplaceAll(strings.Trim(clean.Text(s), "\n"), "\n", " ⏎ ")
	s = keepStart(strings.ReplaceAll(s, q.nonce, "[nonce]"), 4*wordBytes)
	if s == "" {
		return ""
	}
	run := longestRun(s)
	if run == 0 {
		return "`" + s + "`"
	}
	ticks := strings.Repeat("`", run+1)
	return ticks + " " + s + " " + ticks
}

func (q quoter) words(all []string, most int) []string {
	var out []string
	for i, s := range all {
		if i == most {
			return append(out, fmt.Sprintf("[... %d more ...]", len(all)-most))
		}
		out = append(out, q.word(s))
	}
	return out
}

func longestRun(s string) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
