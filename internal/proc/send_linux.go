package proc

import (
	"errors"

	"golang.org/x/sys/unix"
)

// send signals this very process and no later owner of its pid: the pidfd
// holds on to one process, and only then is its start time compared.
func send(id identity, sig unix.Signal) bool {
	fd, err := unix.PidfdOpen(id.PID, 0)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		return sendByPID(id, sig)
	}
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	p, err := look(id.PID)
	if err != nil || p.identity != id {
		return false
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0) == nil
}

// sendByPID is for kernels before 5.3 and sandboxes that forbid pidfds. The
// instant between look and kill is all that is left to chance.
func sendByPID(id identity, sig unix.Signal) bool {
	p, err := look(id.PID)
	return err == nil && p.identity == id && unix.Kill(id.PID, sig) == nil
}
