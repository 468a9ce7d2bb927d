package secret

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"sync"
)

// Writer masks a stream. It keeps an unfinished line until it is complete, Close
// writes the last one. It may be used by many goroutines.
type Writer struct {
	mu   sync.Mutex
	to   io.Writer
	page page
	held []byte
	err  error
}

// Writer returns a Writer into to. The nil Masker is usable.
func (m *Masker) Writer(to io.Writer) *Writer { return &Writer{to: to, page: page{masker: m}} }

// A line that does not end is written in pieces of longLine bytes, each without its
// last overlap bytes: a secret of up to that length is in one of the pieces.
const (
	longLine = 64 << 10
	overlap  = 8 << 10
)

// Write takes everything; the error of the other writer is returned once it is
// known.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = append(w.held, p...)
	if i := bytes.LastIndexByte(w.held, '\n'); i >= 0 {
		w.emit(i + 1)
	}
	if len(w.held) > longLine+overlap {
		w.emitLong()
	}
	return len(p), w.err
}

// emit masks and writes the first n bytes.
func (w *Writer) emit(n int) {
	w.write(w.page.lines(string(w.held[:n])))
	w.held = append(w.held[:0], w.held[n:]...)
}

// emitLong writes the beginning of a line that does not end. Where a secret may
// begin in it and end later, the cut is before the secret, and so for a sequence of a
// terminal.
func (w *Writer) emitLong() {
	text := string(w.held)
	cut := len(text) - overlap
	whole := w.page.masker.uncut(text)
	slices.SortFunc(whole, func(a, b span) int { return cmp.Compare(b.start, a.start) })
	for _, s := range whole {
		if s.start < cut && s.end > cut {
			cut = s.start
		}
	}
	if cut > 0 {
		w.emit(cut)
	} else {
		w.emit(len(text))
	}
}

func (w *Writer) write(text string) {
	if w.err == nil && text != "" {
		_, w.err = io.WriteString(w.to, text)
	}
}

// Close writes what is held. It does not close the other writer.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.emit(len(w.held))
	return w.err
}

// spans returns where known values stand.
func (m *Masker) spans(text string) []span {
	var out []span
	for _, v := range m.known() {
		for at := 0; ; {
			i := strings.Index(text[at:], v)
			if i < 0 {
				break
			}
			out = append(out, span{at + i, at + i + len(v), "value"})
			at += i + len(v)
		}
	}
	return out
}
