package proc

import (
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// humble takes capabilities from this thread, for good, before it executes a
// child of root's behind walls. Landlock does not hold who has them all: since
// Linux 6.14 CAP_PERFMON alone reads the environment and the memory map of any
// process, CAP_SYS_ADMIN mounts, CAP_MKNOD makes a disk to write to in its own
// folder. What stays is what programs as root in a container are used to (the
// files and ids of others), so that a tree of another user can still be worked
// in. Who is not root has none to lose.
func humble() error {
	runtime.LockOSThread() // capabilities are a thread's; execve keeps this one's
	var kept [2]uint32
	for c := range 64 {
		if slices.Contains(keptPowers(), c) {
			kept[c/32] |= 1 << (c % 32)
			continue
		}
		// Refused for one that this kernel does not know, and for who has none.
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return fmt.Errorf("read capabilities: %w", err)
	}
	for i := range have {
		have[i].Effective &= kept[i]
		have[i].Permitted &= kept[i]
		have[i].Inheritable &= kept[i]
	}
	if err := unix.Capset(&header, &have[0]); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	return nil
}

func keptPowers() []int {
	return []int{
		unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETGID, unix.CAP_SETUID,
		unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_NET_RAW, unix.CAP_AUDIT_WRITE, unix.CAP_SETFCAP,
	}
}
