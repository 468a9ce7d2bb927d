package prompt

import (
	"fmt"
	"strings"

	"ralph/internal/prompt/fence"
	"ralph/internal/text"
)

// quoter turns foreign text into blocks of data. Block is the most bytes one
// may have.
type quoter struct {
	nonce string
	block int
}

// data is the block of a text that was cut already; empty for no text.
func (q quoter) data(label, body string) string {
	return fence.Block(q.nonce, q.word(label), body)
}

// evidence keeps the end of a text, head its beginning, whole both ends.
func (q quoter) evidence(label, s string) string {
	return q.data(label, keepTail(text.Clean(s), q.block))
}

func (q quoter) head(label, s string) string {
	return q.data(label, keepHead(text.Clean(s), q.block))
}

func (q quoter) whole(label, s string, most int) string {
	return q.data(label, keepEnds(text.Clean(s), most))
}

// wordBytes bounds a name, a reason, a path.
const wordBytes = 400

// word is a short foreign text on one line.
func (q quoter) word(s string) string {
	return keepStart(fence.Word(q.nonce, s), wordBytes)
}

// code is a command line as a code span, with its spaces and backticks. Line
// ends are shown, not obeyed.
func (q quoter) code(s string) string {
	s = strings.ReplaceAll(strings.Trim(text.Clean(s), "\n"), "\n", " ⏎ ")
	s = keepStart(strings.ReplaceAll(s, q.nonce, "[nonce]"), 4*wordBytes)
	if s == "" {
		return ""
	}
	run := fence.LongestRun(s)
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
