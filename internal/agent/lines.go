package agent

import "bytes"

const (
	// maxLine bounds what is kept of one line of a protocol. The rest of a
	// longer line is dropped here; the raw file has it.
	maxLine = 4 << 20
	// keepRoom is how much memory is held on to between two lines.
	keepRoom = 1 << 20
)

// blank is what may stand around a line of a protocol, and mark what some
// programs begin their output with: the byte order mark of UTF-8.
const (
	blank = " \t\r"
	mark  = "\xef\xbb\xbf"
)

// Lines is a writer that hands on complete lines, without their end and without
// white space around them; lines of nothing else are left out. It never
// fails, and it holds at most maxLine, whatever is written: of a line that
// looks like a JSON object only the long texts inside are cut, so that it stays
// one (see squeezer); any other line is cut at its end.
type Lines struct {
	take func([]byte)
	buf  []byte
	json squeezer
	// begun: the line under way has had its first byte.
	begun bool
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
		l.keep(p[:i])
		l.end()
		p = p[i+1:]
	}
	return n, nil
}

// Flush hands on a last line without an end.
func (l *Lines) Flush() {
	if l.begun {
		l.end()
	}
}

func (l *Lines) keep(p []byte) {
	if !l.begun {
		p = bytes.TrimLeft(p, blank)
	}
	if len(p) == 0 {
		return
	}
	if !l.begun {
		l.begun = true
		l.json = squeezer{on: p[0] == '{'}
	}
	if l.json.on {
		l.buf = l.json.squeeze(l.buf, p)
		return
	}
	l.buf = append(l.buf, p[:min(len(p), maxLine-len(l.buf))]...)
}

func (l *Lines) end() {
	if line := bytes.TrimPrefix(bytes.TrimRight(l.buf, blank), []byte(mark)); len(line) > 0 {
		l.take(line)
	}
	l.begun = false
	if l.buf = l.buf[:0]; cap(l.buf) > keepRoom {
		l.buf = nil
	}
}
