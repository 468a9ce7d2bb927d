//go:build !unix

package proc

import (
	"errors"
	"os"
	"os/exec"
)

// Replace runs another program in place of this one, in a directory and with the whole
// environment given, and returns its exit code.
func Replace(program string, args []string, dir string, env []string) (code int, err error) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, env, os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		err = nil
	}
	if cmd.ProcessState != nil {
		code = cmd.ProcessState.ExitCode()
	}
	return code, err
}
