//go:build linux || darwin

package proc

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lackErrors are what a machine may have again later, with the C library's words for it.
var lackErrors = map[error]string{
	syscall.ENOMEM: "Cannot allocate memory",
	syscall.EMFILE: "Too many open files",
	syscall.ENFILE: "Too many open files in system",
	syscall.ENOSPC: "No space left on device",
	syscall.EDQUOT: "Disk quota exceeded",
	syscall.EROFS:  "Read-only file system",
	syscall.EIO:    "Input/output error",
	syscall.ESTALE: "Stale file handle",
}

// endSignal returns the name of the signal that ended a process, or "".
func endSignal(st *os.ProcessState) string {
	ws, ok := st.Sys().(syscall.WaitStatus)
	if !ok {
		return ""
	}
	_, signal := exitStatus(unix.WaitStatus(ws))
	return signal
}
