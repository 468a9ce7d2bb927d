package proc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// awakeTools returns the commands that keep a machine of this system from falling
// asleep while the command after them runs.
func awakeTools() []string {
	switch runtime.GOOS {
	case "linux":
		return []string{"systemd-inhibit", "--what=sleep:idle", "--who=ralph", "--why=coding agents are at work", "--mode=block"}
	case "darwin":
		return []string{"caffeinate", "-i"}
	}
	return nil
}

// KeepAwake keeps the machine from falling asleep until stop is called or this
// process ends, in whatever way: the tool waits for the end of a pipe that only this
// process holds. Where there is no tool, or it is refused, nothing happens.
func KeepAwake() (stop func()) {
	argv := awakeTools()
	if argv == nil {
		return func() {}
	}
	if _, err := exec.LookPath(argv[0]); err != nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	near, far, err := os.Pipe()
	if err != nil {
		cancel()
		return func() {}
	}
	cmd := exec.CommandContext(ctx, argv[0], append(argv[1:], "cat")...)
	cmd.Env = append(without(os.Environ(), ownerVariable), ownerMark())
	cmd.Stdin, cmd.SysProcAttr = near, background()
	err = cmd.Start()
	_ = near.Close()
	if err != nil {
		_ = far.Close()
		cancel()
		return func() {}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // a refusal says nothing about the work
	}()
	return func() {
		_ = far.Close()
		select {
		case <-ended:
		case <-time.After(awakeGrace):
		}
		cancel()
		<-ended
	}
}

// awakeGrace is how long the tool may take to end.
const awakeGrace = time.Second

// TryKeepAwake tries the tool of KeepAwake on nothing, and returns its name; an error
// says why the machine can fall asleep.
func TryKeepAwake(ctx context.Context) (tool string, err error) {
	argv := awakeTools()
	if argv == nil {
		return "", fmt.Errorf("there is no tool for that on %s", runtime.GOOS)
	}
	if _, err := exec.LookPath(argv[0]); err != nil {
		return "", fmt.Errorf("%s is not installed", argv[0])
	}
	out, err := Run(ctx, Command{Argv: append(argv, "true"), Env: os.Environ(), MaxOutput: 4 << 10})
	switch {
	case err != nil:
		return "", err
	case out.Code != 0:
		return "", fmt.Errorf("%s: %s", argv[0], strings.TrimSpace(string(out.Stderr)))
	}
	return argv[0], nil
}
