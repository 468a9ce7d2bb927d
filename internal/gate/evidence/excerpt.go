package evidence

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/gate/text"
)

// The limits of seed 004: at most 100 lines including the marker. The tail is
// larger, since evidence is at the end.
const (
	excerptLines = 100
	excerptHead  = 30
	excerptTail  = excerptLines - excerptHead - 1
	longLine     = 800 // bytes of one line that are shown
	longLineTail = 200 // how many of them from its end
)

// Excerpt returns output without colours and control characters: whole up to 100
// lines, else its first 30 and last 69 around a line with the number of omitted
// ones. An excerpt of an excerpt is the same.
func Excerpt(output []byte) string {
	var c cutter
	l := text.Lines{Each: func(line []byte, dropped int64) { c.add(text.Plain(line), dropped) }}
	_, _ = l.Write(output)
	l.Flush()
	return c.String()
}

// cutter builds an excerpt from a stream of plain lines.
type cutter struct {
	head  []string
	tail  ring
	total int
}

func (c *cutter) add(line string, dropped int64) {
	line = shorten(line, dropped)
	c.total++
	if len(c.head) < excerptHead {
		c.head = append(c.head, line)
		return
	}
	c.tail.max = excerptLines - excerptHead
	c.tail.add(line)
}

func (c *cutter) String() string {
	lines, tail := c.head, c.tail.lines()
	if c.total > excerptLines {
		tail = tail[len(tail)-excerptTail:]
		left := c.total - excerptHead - excerptTail
		tail = append([]string{fmt.Sprintf("[... %d lines truncated ...]", left)}, tail...)
	}
	return strings.TrimRight(strings.Join(append(slices.Clip(lines), tail...), "\n"), "\n")
}

// shorten caps a long line, dropped bytes of which never arrived.
func shorten(line string, dropped int64) string {
	if len(line) <= longLine && dropped == 0 {
		return line
	}
	mark := "[... %d bytes truncated ...]"
	room := longLine - longLineTail - len(mark) - 20
	if len(line) <= room {
		return line + fmt.Sprintf(mark, dropped)
	}
	cut := int64(len(line)) - int64(room) - longLineTail + dropped
	return strings.ToValidUTF8(line[:room], "") + fmt.Sprintf(mark, cut) + strings.ToValidUTF8(line[len(line)-longLineTail:], "")
}

// Collector collects from a stream of lines what Excerpt, Fingerprint and Missing
// need, in at most some 200 lines. The zero value is ready.
type Collector struct {
	cut    cutter
	errors ring
	last   ring
	lack   lack
	prev   string
}

// Add takes the next line, of which dropped bytes were cut off.
func (c *Collector) Add(line string, dropped int64) {
	c.cut.add(line, dropped)
	if line == c.prev || strings.TrimSpace(line) == "" {
		return // an immediate repetition adds nothing
	}
	c.prev = line
	c.errors.max, c.last.max = errorLines, errorLines
	short := shorten(line, dropped)
	c.last.add(short)
	looksBad := text.ErrorLike(line)
	if looksBad {
		c.errors.add(short)
	}
	if looksBad || strings.Contains(line, "symbol:") || strings.Contains(line, " not ") {
		c.lack.add(line)
	}
}

// Excerpt of everything so far.
func (c *Collector) Excerpt() string { return c.cut.String() }

// Lines returns the last error-like lines or, if there are none, the last lines
// of all.
func (c *Collector) Lines() []string {
	if e := c.errors.lines(); len(e) > 0 {
		return e
	}
	return c.last.lines()
}

// Missing returns the names that the output reports as missing.
func (c *Collector) Missing(roots ...string) []string { return c.lack.names(roots) }

// ring keeps the last max lines.
type ring struct {
	max  int
	buf  []string
	next int
}

func (r *ring) add(line string) {
	if len(r.buf) < r.max {
		r.buf = append(r.buf, line)
		return
	}
	r.buf[r.next] = line
	r.next = (r.next + 1) % r.max
}

// lines returns them, oldest first.
func (r *ring) lines() []string {
	return append(append([]string{}, r.buf[r.next:]...), r.buf[:r.next]...)
}
