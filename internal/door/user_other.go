//go:build !linux

package door

import "net"

// sameUser trusts the socket's mode and its folder's: nobody else gets here.
func sameUser(*net.UnixConn) bool { return true }
