package evidence

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/gate/text"
)

// The cut of seed 004: 100 lines at most, the marker among them. The tail is
// the larger part, since evidence stands at the end.
const (
	excerptLines = 100
	excerptHead  = 30
	excerptTail  = excerptLines - excerptHead - 1
	longLine     = 800 // bytes of one line that are shown
	longLineTail = 200 // how many of them from its end
)

// Excerpt is output in the words it was printed in, without colours and
// control characters: whole up to 100 lines, else its first 30 and last 69
// around a line that says how many were left out. Cutting an excerpt again
// changes nothing.
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
