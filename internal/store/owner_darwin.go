package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// processIdentity reads what makes this process's pid unique.
func processIdentity() (boot, pidNS string, start uint64) {
	boot, _ = unix.Sysctl("kern.bootsessionuuid")
	if p, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getpid()); err == nil {
		start = uint64(p.Proc.P_starttime.Sec)*1e6 + uint64(p.Proc.P_starttime.Usec)
	}
	return boot, "", start
}
