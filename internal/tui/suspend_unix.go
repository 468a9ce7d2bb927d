//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stop stops this process and its group, as ctrl-z does, and returns when it
// continues. A group without a shell to bring it back is not stopped by the
// system; then nothing happens.
func stop() bool {
	on := make(chan os.Signal, 1)
	signal.Notify(on, syscall.SIGCONT)
	defer signal.Stop(on)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return false
	}
	select {
	case <-on:
		return true
	case <-time.After(200 * time.Millisecond): // time does not pass while stopped
		return false
	}
}
