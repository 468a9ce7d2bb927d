//go:build linux || darwin

package proc

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// lifelineFD is the first of exec's ExtraFiles.
const lifelineFD = 3

// Exit codes of a shim. The child's own code is in exit.json.
const (
	shimDone       = 0
	shimNotStarted = 64 // no lifeline, no start request: nothing was started
	shimNoExitFile = 74 // exit.json could not be written
)

// ShimMain runs a shim, a sandbox init or the builder of a room; it does not
// return.
func ShimMain() {
	switch os.Args[1] {
	case initArg:
		sandboxInit(os.Args)
	case roomArg:
		buildRoom(os.Args)
	}
	closeOnExec(lifelineFD)
	closeOnExec(treeFD - 1)
	lifeline := os.NewFile(lifelineFD, "lifeline")
	terms := catchSignals()
	adoptOrphans()
	m, err := readStart(lifeline)
	if err != nil {
		os.Exit(shimNotStarted)
	}
	w := newChildSupervisor(m)
	if w.start() {
		w.run(readOrders(lifeline), terms, reap())
	}
	if err := w.report(); err != nil {
		os.Exit(shimNoExitFile)
	}
	os.Exit(shimDone)
}

// catchSignals makes TERM an order to end and ignores the other polite signals: a
// Ctrl-C is the supervisor's business. They are caught and not ignored, since a
// child would inherit ignored ones.
func catchSignals() <-chan os.Signal {
	terms := make(chan os.Signal, 1)
	signal.Notify(terms, unix.SIGTERM)
	signal.Notify(make(chan os.Signal, 1), unix.SIGINT, unix.SIGHUP, unix.SIGQUIT, unix.SIGPIPE,
		unix.SIGUSR1, unix.SIGUSR2, unix.SIGTSTP)
	return terms
}

// readOrders returns the bytes of the lifeline and closes the channel at its end.
func readOrders(lifeline *os.File) <-chan order {
	orders := make(chan order)
	go func() {
		defer close(orders)
		buf := make([]byte, 1)
		for {
			n, err := lifeline.Read(buf)
			if n == 1 {
				orders <- order(buf[0])
			}
			if err != nil {
				return
			}
		}
	}()
	return orders
}

// death is one reaped process.
type death struct {
	pid    int
	status unix.WaitStatus
}

// waitStatus converts a status that another process has read.
func waitStatus(n uint32) unix.WaitStatus { return unix.WaitStatus(n) }

// reap collects every child, adopted ones included, and closes the channel when
// there is none.
func reap() <-chan death {
	deaths := make(chan death)
	go func() {
		defer close(deaths)
		for {
			var d death
			pid, err := unix.Wait4(-1, &d.status, 0, nil)
			if err == unix.EINTR {
				continue
			}
			if err != nil {
				return
			}
			d.pid = pid
			deaths <- d
		}
	}()
	return deaths
}

// abandoned reports whether the supervisor's end of the lifeline is closed.
func abandoned() bool {
	fds := []unix.PollFd{{Fd: lifelineFD, Events: unix.POLLIN}}
	_, err := unix.Poll(fds, 0)
	for err == unix.EINTR { // a signal says nothing about the supervisor
		_, err = unix.Poll(fds, 0)
	}
	return err != nil || fds[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0
}

// forkExec starts argv with the shim's own standard files and the given ones, in
// a group of its own.
func forkExec(path string, argv, env []string, dir string, more ...uintptr) (int, error) {
	return forkExecWith(&syscall.SysProcAttr{Setpgid: true}, path, argv, env, dir, more...)
}

func forkExecWith(sys *syscall.SysProcAttr, path string, argv, env []string, dir string, more ...uintptr) (int, error) {
	return syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Dir: dir, Env: env, Files: append([]uintptr{0, 1, 2}, more...), Sys: sys,
	})
}
