//go:build unix && !linux

package proc

import (
	"os"

	"golang.org/x/sys/unix"
)

// duplicate makes descriptor fd another name of f.
func duplicate(f *os.File, fd int) error { return unix.Dup2(int(f.Fd()), fd) }
