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
	cmd := &exec.Cmd{
		Path: program, Args: append([]string{program}, args...), Dir: dir, Env: env,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
	err = cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		err = nil
	}
	if cmd.ProcessState != nil {
		code = cmd.ProcessState.ExitCode()
	}
	return code, err
}
