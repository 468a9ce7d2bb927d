//go:build unix

package proc

import "syscall"

// background keeps a helper out of the terminal's foreground group: a ctrl-c is
// meant for ralph, and must not break a commit off in the middle.
func background() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
