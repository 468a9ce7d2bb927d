package command

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
)

// Output is the standard output of a command. It remembers the first write that failed, so
// that no command has to check each line that it prints.
type Output struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (o *Output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// Failed returns why the output is incomplete. A reader that has read enough, as head does,
// is no failure.
func (o *Output) Failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return o.err
}

// File returns the file behind a stream; nil where there is none.
func File(stream any) *os.File {
	if o, ok := stream.(*Output); ok {
		stream = o.Writer
	}
	f, _ := stream.(*os.File)
	return f
}
