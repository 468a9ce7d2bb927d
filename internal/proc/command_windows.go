package proc

import "syscall"

// background keeps a ctrl-c that is meant for ralph away from a helper.
func background() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
