package control

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// sameUser asks the kernel which user is at the other end.
func sameUser(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	var who *unix.Ucred
	if raw.Control(func(fd uintptr) { who, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }) != nil || err != nil {
		return false
	}
	return int(who.Uid) == os.Geteuid()
}
