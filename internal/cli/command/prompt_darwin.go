package command

import "golang.org/x/sys/unix"

// flushInput forgets what was typed at a terminal and not read (FREAD is 1).
func flushInput(fd int) { _ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 1) }
