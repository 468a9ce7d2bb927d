package prompt

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"ralph/internal/loop"
	"ralph/internal/prompt/fence"
	"ralph/internal/text"
)

// Cuts fall between lines where one is near, else between characters, and
// state how much they left out.

func mark(n int) string { return fmt.Sprintf("[... %d bytes left out ...]", n) }

func keepTail(s string, most int) string {
	if len(s) <= most {
		return s
	}
	from := len(s) - most
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	if i := strings.IndexByte(s[from:], '\n'); s[from-1] != '\n' && i >= 0 && i < most/4 {
		from += i + 1
	}
	return mark(from) + "\n" + s[from:]
}

func keepHead(s string, most int) string {
	if len(s) <= most {
		return s
	}
	to := start(s, most)
	if i := strings.LastIndexByte(s[:to], '\n'); i > to*3/4 {
		to = i
	}
	return s[:to] + "\n" + mark(len(s)-to)
}

// keepEnds cuts the middle: two thirds of the rest are the beginning.
func keepEnds(s string, most int) string {
	if len(s) <= most {
		return s
	}
	to, from := start(s, most*2/3), len(s)-most/3
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[:to] + "\n" + mark(from-to) + "\n" + s[from:]
}

// keepStart is for one line.
func keepStart(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:start(s, most)] + "…"
}

// start returns the largest boundary of characters that is at most n.
func start(s string, n int) int {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// measure compares the value of a numeric gate with its floor.
func measure(r loop.Result) string {
	if r.Value == nil && r.Threshold == nil {
		return ""
	}
	return fmt.Sprintf("Measured %s, needed %s.", number(r.Value), number(r.Threshold))
}

func number(v *float64) string {
	if v == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.4g", *v)
}

// needs describes what a gate requires besides exit code 0.
func needs(g loop.Gate, scope []string) string {
	of := ""
	if g.Scoped && len(scope) > 0 {
		of = " in the files of your scope"
	}
	switch {
	case g.Hidden:
		return "hidden: its command, files and output are not shown; the task says what it checks"
	case g.Threshold != nil:
		return "at least " + number(g.Threshold) + of
	case g.Baseline:
		return "at least what it was at the start" + of
	}
	return ""
}

// quoter turns foreign text into blocks of data. Block is the most bytes one
// may have.
type quoter struct {
	nonce string
	block int
}

// data returns the block of a text that was cut already; empty for no text.
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

// word returns a short foreign text on one line.
func (q quoter) word(s string) string {
	return keepStart(fence.Word(q.nonce, s), wordBytes)
}

// long is word for a list of findings.
func (q quoter) long(s string) string {
	return keepStart(fence.Word(q.nonce, s), 5*wordBytes)
}

// code returns a command line as a code span, with its spaces and backticks.
// Line ends are replaced by ⏎.
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
