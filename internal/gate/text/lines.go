package text

import "bytes"

// maxLine is how much of one line Lines keeps, in bytes. The longest lines
// that carry meaning are events of `go test -json`; one that is longer holds
// printed output, and its end is not needed.
const maxLine = 256 << 10

// Lines is a writer that passes every line, without its line end, to Each. A line
// longer than MaxLine is truncated, and the rest counted. Each must not keep the
// slice. Writing never fails. Call Flush after the last Write.
type Lines struct {
	Each func(line []byte, dropped int64)

	buf     []byte
	dropped int64
}

// Write splits p.
func (l *Lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.keep(p)
			return n, nil
		}
		if len(l.buf) == 0 && l.dropped == 0 && i <= maxLine {
			l.Each(p[:i], 0)
		} else {
			l.keep(p[:i])
			l.end()
		}
		p = p[i+1:]
	}
}

// Flush passes a last line without a line end.
func (l *Lines) Flush() {
	if len(l.buf) > 0 || l.dropped > 0 {
		l.end()
	}
}

func (l *Lines) keep(p []byte) {
	room := min(len(p), maxLine-len(l.buf))
	l.buf = append(l.buf, p[:room]...)
	l.dropped += int64(len(p) - room)
}

func (l *Lines) end() {
	l.Each(l.buf, l.dropped)
	l.buf, l.dropped = l.buf[:0], 0
}
