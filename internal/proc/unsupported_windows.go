package proc

import (
	"context"
	"os/exec"
	"syscall"
)

// Handoff connects a background process to its starter. On Windows there is none.
type Handoff struct{}

func (Background) start(context.Context) (HandoffResult, error) {
	return HandoffResult{}, ErrNoBackground
}

func openHandoff() *Handoff { return nil }

// Waiting reports whether the starter still waits.
func (*Handoff) Waiting() bool { return true }

// Detached reports whether this process has detached.
func (*Handoff) Detached() bool { return false }

// Detach makes this process outlive the terminal.
func (*Handoff) Detach(string) error { return ErrNoBackground }

// background keeps a ctrl-c that is meant for ralph away from a helper.
func background() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// Find returns the file that a command would start.
func Find(_ []string, name string) (string, error) { return exec.LookPath(name) }

// Command returns argv: there is no sandbox on this system.
func (*Sandbox) Command(argv []string) []string { return argv }
