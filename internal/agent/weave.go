package agent

import (
	"bytes"
	"io"
	"sync"
)

// weave joins the two outputs of a program in one file without tearing a line
// of one apart with a line of the other: a protocol's lines stay readable by
// whoever reads the file later.
type weave struct {
	mu   sync.Mutex
	to   io.Writer
	out  [2]strand
	open int // whose line is under way in the file; -1: nobody's
}

// strand is one output, with what of it has to wait.
type strand struct{ held []byte }

// maxHeld bounds what waits for the other output's line to end.
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

// put writes what waited and p, and remembers whether the line has ended.
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

// flush writes what still waits.
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
