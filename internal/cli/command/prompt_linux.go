package command

import "golang.org/x/sys/unix"

// flushInput forgets what was typed at a terminal and not read. It does not wait
// for output, which a person may have stopped.
func flushInput(fd int) { _ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
