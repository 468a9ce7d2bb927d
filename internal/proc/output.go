package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// output holds the child's three standard files and the goroutines that read
// them. The shim is not in this path.
type output struct {
	stdin, stdout, stderr *os.File // the child's ends
	streams               []*stream
	running               sync.WaitGroup
}

// stream is one pipe from the child and the writer of its bytes.
type stream struct {
	from *os.File
	to   io.Writer
	err  error
	head []byte // the first bytes, at most maxHead
}

func openOutput(s Spec) (*output, error) {
	o := &output{}
	if err := o.open(s); err != nil {
		o.closeChildEnds()
		o.closeOwnEnds()
		return nil, err
	}
	return o, nil
}

func (o *output) open(s Spec) (err error) {
	if o.stdin, err = s.input(); err != nil {
		return err
	}
	if o.stdout, err = o.pipe(s.Stdout); err != nil {
		return err
	}
	if s.Stderr == nil {
		o.stderr = o.stdout
		return nil
	}
	o.stderr, err = o.pipe(s.Stderr)
	return err
}

func (s Spec) input() (*os.File, error) {
	switch {
	case s.Input != nil:
		return s.Input, nil
	case s.Stdin == "":
		return os.Open(os.DevNull)
	}
	return os.Open(s.Stdin)
}

// pipe returns the child's end of a stream into to.
func (o *output) pipe(to io.Writer) (*os.File, error) {
	if to == nil {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	near, far, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	o.streams = append(o.streams, &stream{from: near, to: to})
	return far, nil
}

func (o *output) closeChildEnds() {
	for _, f := range []*os.File{o.stdin, o.stdout, o.stderr} {
		if f != nil {
			_ = f.Close() // closing a merged stderr twice is harmless
		}
	}
}

func (o *output) closeOwnEnds() {
	for _, s := range o.streams {
		_ = s.from.Close()
	}
}

func (o *output) start() {
	for _, s := range o.streams {
		o.running.Go(s.pump)
	}
}

// drain waits for the end of the streams, but not for unrelated processes that
// hold them, and returns the errors of their writers.
func (o *output) drain() error {
	limit := time.Now().Add(drainTime)
	for _, s := range o.streams {
		if s.from.SetReadDeadline(limit) != nil {
			// No deadlines on this system's pipes: closing ends the read.
			defer time.AfterFunc(drainTime, func() { s.from.Close() }).Stop()
		}
	}
	o.running.Wait()
	o.closeOwnEnds()
	var errs []error
	for _, s := range o.streams {
		errs = append(errs, s.err)
	}
	return errors.Join(errs...)
}

// heads returns the first words of all streams, on one line.
func (o *output) heads() string {
	var b strings.Builder
	for _, s := range o.streams {
		fmt.Fprintln(&b, strings.ToValidUTF8(string(s.head), ""))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

const (
	pumpSize = 64 << 10
	maxHead  = 300
	// finalRead is how long a pipe is read on after its drain time, and maxPipe
	// the most bytes that it holds.
	finalRead = 200 * time.Millisecond
	maxPipe   = 1 << 20
)

// pump moves bytes until the pipe ends. A writer that fails gets no more bytes,
// but the pipe is read on: a full pipe would block the child. Bytes in the pipe
// after its drain time are moved too, since a slow disk may have delayed them.
func (s *stream) pump() {
	buf := make([]byte, pumpSize)
	for late, left := false, maxPipe; left > 0; {
		n, err := s.from.Read(buf)
		if n > 0 && s.err == nil {
			s.deliver(buf[:n])
		}
		switch {
		case late:
			left -= n
		case errors.Is(err, os.ErrDeadlineExceeded):
			late, err = true, nil
		}
		if late && err == nil {
			err = s.from.SetReadDeadline(time.Now().Add(finalRead))
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) deliver(p []byte) {
	s.head = append(s.head, p[:min(len(p), maxHead-len(s.head))]...)
	if _, err := s.to.Write(p); err != nil {
		s.err = fmt.Errorf("write output: %w", err)
	}
}
