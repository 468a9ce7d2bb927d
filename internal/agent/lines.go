package agent

import "bytes"

// maxLine bounds what is kept of one line of a protocol. The rest of a longer
// line is dropped here; the raw file has it.
const maxLine = 1 << 20

// Lines is a writer that hands on complete lines, without their end. It never
// fails and never grows beyond maxLine, whatever is written.
type Lines struct {
	take func([]byte)
	buf  []byte
}

// NewLines makes a writer of lines. The slice given to take is only valid
// during the call.
func NewLines(take func([]byte)) *Lines { return &Lines{take: take} }

func (l *Lines) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.keep(p)
			break
		}
		if len(l.buf) == 0 && i <= maxLine {
			l.hand(p[:i])
		} else {
			l.keep(p[:i])
			l.Flush()
		}
		p = p[i+1:]
	}
	return n, nil
}

// Flush hands on a last line without an end.
func (l *Lines) Flush() {
	if len(l.buf) > 0 {
		l.hand(l.buf)
	}
	l.buf = l.buf[:0]
}

func (l *Lines) keep(p []byte) {
	room := maxLine - len(l.buf)
	if len(p) > room {
		p = p[:max(room, 0)]
	}
	l.buf = append(l.buf, p...)
}

func (l *Lines) hand(p []byte) {
	if p = bytes.TrimSuffix(p, []byte("\r")); len(p) > 0 {
		l.take(p)
	}
}
