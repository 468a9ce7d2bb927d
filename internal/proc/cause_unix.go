//go:build linux || darwin

package proc

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

var lackErrors = []error{syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE, syscall.ENOSPC, syscall.EDQUOT}

// endSignal returns the name of the signal that ended a process, or "".
func endSignal(st *os.ProcessState) string {
	ws, ok := st.Sys().(syscall.WaitStatus)
	if !ok {
		return ""
	}
	_, signal := exitStatus(unix.WaitStatus(ws))
	return signal
}
