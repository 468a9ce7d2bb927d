//go:build linux || darwin

package command

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// glances is how long one look at a terminal lasts at most, in microseconds: so
// late a prompt notices that it is over.
const glances = 50_000

// waits reports whether a file can be polled.
func waits(f *os.File) bool { return int(f.Fd()) < unix.FD_SETSIZE }

// readable waits a moment for something to read, the end of input included. It
// selects: polling knows no terminals on macOS.
func readable(f *os.File) (bool, error) {
	fd := int(f.Fd())
	var set unix.FdSet
	set.Set(fd)
	n, err := unix.Select(fd+1, &set, nil, nil, &unix.Timeval{Usec: glances})
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return n > 0, err
}

// forgetTyped throws away what was typed at a terminal and not read, a line that
// is not finished included.
func forgetTyped(r io.Reader) {
	if f, ok := r.(*os.File); ok {
		flushInput(int(f.Fd()))
	}
}
