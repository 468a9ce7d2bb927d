package agent

import (
	"bytes"
	"io"
	"sync"
)

const (
	// maxLine bounds the part of a protocol line that is kept. The rest of a
	// longer line is only in the raw file.
	maxLine = 4 << 20
	// keepRoom is how much memory is kept between two lines.
	keepRoom = 1 << 20
)

// blank is white space around a line of a protocol; some programs begin their
// output with mark, the byte order mark of UTF-8.
const (
	blank = " \t\r"
	mark  = "\xef\xbb\xbf"
)

// Lines is a writer that passes on complete lines, without line ends and
// surrounding white space; blank lines are left out. It never fails and holds at
// most maxLine: of a line that looks like a JSON object only long strings are
// shortened, so that it stays one (see squeezer); any other line is truncated.
type Lines struct {
	take func([]byte)
	buf  []byte
	json squeezer
	// begun: the current line has had its first byte.
	begun bool
}

// NewLines returns a writer of lines. The slice passed to take is only valid
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

// Flush passes on a last line without an end.
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

// maxText bounds one string inside a JSON line: far more than any significant
// text, far less than a file that an agent has just read.
const maxText = 256 << 10

// escapeLen is the longest escape in a JSON text: \u and four digits.
const escapeLen = 6

// squeezer copies a JSON object as it comes, in pieces of any size, and shortens
// long strings. The result is JSON of the same structure, so that the type of a
// line of 100 MB is found wherever it is.
type squeezer struct {
	on bool
	// inText: between two quotes; escaped: after a backslash.
	inText, escaped bool
	// full: the rest of the current string is dropped; kept bytes of it are
	// stored.
	full bool
	kept int
}

// squeeze appends the kept part of p.
func (s *squeezer) squeeze(to, p []byte) []byte {
	for len(p) > 0 {
		n := s.next(p)
		to = s.take(to, p[:n])
		p = p[n:]
	}
	return to
}

// next returns how much of p can be taken at once.
func (s *squeezer) next(p []byte) int {
	if s.escaped {
		return 1
	}
	i := bytes.IndexByte(p, '"')
	if s.inText {
		i = bytes.IndexAny(p, `"\`)
	}
	switch {
	case i < 0:
		return len(p)
	case i > 0:
		return i
	}
	return 1
}

func (s *squeezer) take(to, p []byte) []byte {
	switch {
	case s.escaped:
		s.escaped = false
		return s.text(to, p)
	case p[0] == '"':
		s.inText, s.full, s.kept = !s.inText, false, 0
		return add(to, p)
	case !s.inText:
		return add(to, p)
	case p[0] == '\\':
		// An escape is kept as a whole or not at all.
		s.escaped = true
		s.full = s.full || s.kept+escapeLen > maxText
	}
	return s.text(to, p)
}

func (s *squeezer) text(to, p []byte) []byte {
	if s.full {
		return to
	}
	if room := maxText - s.kept; len(p) > room {
		p, s.full = p[:room], true
	}
	s.kept += len(p)
	return add(to, p)
}

// add appends as far as a line may grow.
func add(to, p []byte) []byte {
	return append(to, p[:min(len(p), maxLine-len(to))]...)
}

// weave merges the two outputs of a program into one file without mixing their
// lines, so that a protocol's lines stay readable.
type weave struct {
	mu   sync.Mutex
	to   io.Writer
	out  [2]strand
	open int // the output whose line is incomplete in the file; -1: none
}

// strand is one output, with the part that has to wait.
type strand struct{ held []byte }

// maxHeld bounds the part that waits for the other output's line to end.
const maxHeld = 64 << 10

func newWeave(to io.Writer) *weave { return &weave{to: to, open: -1} }

// side is the writer of one of the two outputs.
func (w *weave) side(i int) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(p), w.write(i, p)
	})
}

func (w *weave) write(i int, p []byte) error {
	if w.open == 1-i {
		if w.out[i].held = append(w.out[i].held, p...); len(w.out[i].held) < maxHeld {
			return nil
		}
		p = nil
	}
	if err := w.put(i, p); err != nil {
		return err
	}
	if w.open == -1 && len(w.out[1-i].held) > 0 {
		return w.put(1-i, nil)
	}
	return nil
}

// put writes the waiting part and p, and records whether the line has ended.
func (w *weave) put(i int, p []byte) error {
	if held := w.out[i].held; len(held) > 0 {
		p, w.out[i].held = append(held, p...), nil
	}
	if w.open = i; bytes.HasSuffix(p, []byte("\n")) {
		w.open = -1
	}
	_, err := w.to.Write(p)
	return err
}

// flush writes the waiting parts.
func (w *weave) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.out {
		if len(w.out[i].held) == 0 {
			continue
		}
		if err := w.put(i, nil); err != nil {
			return err
		}
	}
	return nil
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
