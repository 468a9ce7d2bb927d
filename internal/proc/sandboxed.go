//go:build linux || darwin

package proc

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sandboxedChild is a child in a sandbox. With a wrapper the processes are
//
//	shim ── wrapper (bwrap) ── init (first process inside) ── child ── …
//
// and the shim, outside, sees all of them. Polite signals are not sent to wrapper
// and init: a wrapper that follows a TERM takes the whole sandbox with it, and
// the child has no time to end. The init reports how the child ended; the
// wrapper's exit code cannot tell exit 137 from SIGKILL.
//
// With a room the shim starts the builder of the room, which becomes the wrapper,
// or starts the init itself and stays.
//
// With Landlock rules alone the init becomes the child, and only its first report
// is needed.
type sandboxedChild struct {
	reports <-chan initReport
	// keeper is 0 where the child has no namespace of its own.
	wrapper int
	// init and child as the shim sees them, once the init has reported its start;
	// inner is the child's pid in its own namespace.
	init, child, inner int

	started bool
	failure string
	lack    bool // the failure comes from it
}

// startSandboxed starts the child in its sandbox.
func (w *childSupervisor) startSandboxed(argv, env []string, dir string) (int, error) {
	far, near, err := os.Pipe()
	if err != nil {
		return 0, fmt.Errorf("open a pipe to the sandbox: %w", err)
	}
	defer near.Close()
	self, err := os.Open(selfPath())
	if err != nil {
		return 0, fmt.Errorf("open this program for the sandbox: %w", err)
	}
	defer self.Close()
	path, words := selfPath(), initArgv("ralph", initConfig{Landlock: w.request.Landlock})
	wrapper, files, sys := toStrings(w.request.Wrapper), []uintptr{near.Fd(), self.Fd()}, &syscall.SysProcAttr{Setpgid: true}
	if len(wrapper) > 0 {
		// Sandbox, this program may have no path, but it has this descriptor.
		path = wrapper[0]
		words = append(wrapper, initArgv("/proc/self/fd/4", initConfig{First: true, Landlock: w.request.Landlock})...)
	}
	if w.request.Room != "" {
		if len(wrapper) == 0 {
			words = initArgv("/proc/self/fd/4", initConfig{First: true, Proc: true, Landlock: w.request.Landlock})
		}
		path, words = selfPath(), append([]string{"ralph", roomArg, w.request.Room, "--"}, words...)
		files, sys = append(files, treeFD-1), roomProcess()
	}
	pid, err := forkExecWith(sys, path, append(words, argv...), env, dir, files...)
	if err != nil {
		return 0, fmt.Errorf("execute %s: %w", path, err)
	}
	w.sandboxed = &sandboxedChild{reports: readReports(far)}
	if len(wrapper) > 0 || w.request.Room != "" {
		w.sandboxed.wrapper = pid
	}
	return pid, nil
}

// handleReport takes one report of the sandbox init; ok is false at their end.
func (w *childSupervisor) handleReport(said initReport, ok bool) {
	in := w.sandboxed
	switch {
	case !ok:
		in.reports = nil
	case said.Error != "":
		in.failure, in.lack = said.Error, said.Lack
	case said.Started:
		in.started, in.inner = true, said.PID
		if w.locate(); w.pending != 0 {
			w.signalAll(w.pending)
		}
	case said.Ended && w.child != 0:
		w.childExited(death{pid: w.child, status: waitStatus(said.Status)})
	}
}

// locate finds the init and the child among the descendants, and the child's
// group. The child may run, and write, before the init's report of its start
// arrives: until then any child of the init counts as the child, afterwards the
// one with the reported pid.
func (w *childSupervisor) locate() {
	in := w.sandboxed
	if in == nil || in.wrapper == 0 || in.child != 0 {
		return
	}
	w.group = 0
	all := w.family()
	for _, p := range all {
		if p.Parent == in.wrapper {
			in.init = p.PID
		}
	}
	for _, p := range all {
		switch {
		case in.init == 0 || p.Parent != in.init:
		case !in.started && w.group == 0:
			w.group = p.Group
		case in.started && innerPID(p.PID) == in.inner:
			in.child, w.group = p.PID, p.Group
		}
	}
}

// drainReports reads the reports that an init sent before it died. The process at
// the other end is gone, or about to be.
func (w *childSupervisor) drainReports() {
	limit := time.After(time.Second)
	for w.sandboxed.reports != nil {
		select {
		case said, ok := <-w.sandboxed.reports:
			w.handleReport(said, ok)
		case <-limit:
			w.sandboxed.reports = nil
		}
	}
}

// sandboxExited handles the end of the process that the shim itself started: the
// child, or with a namespace its wrapper.
func (w *childSupervisor) sandboxExited(d death) {
	w.drainReports()
	in := w.sandboxed
	switch {
	case in.failure != "":
		w.neverStarted(in.failure)
		w.rec.Lack = in.lack
	case w.child == 0: // the init had reported it before
	case w.urgency == 0 && in.killed(d.status):
		w.childExited(d)
		w.rec.Code, w.rec.Signal = nil, ""
		w.rec.Lost, w.rec.Reason = true, "a process of its sandbox was killed"
	case !in.started && w.urgency == 0:
		code, signal := exitStatus(d.status)
		w.neverStarted(unbuilt + " (" + describeExit(code, signal) + ")")
		w.rec.Lack = true // a mount or a namespace: of the command it says nothing
	default:
		w.childExited(d)
	}
}

// killed: a signal ended the wrapper, or the init before the child began, and not the
// child.
func (in *sandboxedChild) killed(s unix.WaitStatus) bool {
	return killed(s) && (in.wrapper != 0 || !in.started) || killedAsFirst(s) && !in.started
}

// killed: a foreign signal ended a wrapper, or the process that it waited for.
func killed(s unix.WaitStatus) bool {
	code, signal := exitStatus(s)
	return foreign(signal) || code != nil && reportsKill(*code)
}

// killedAsFirst: a signal came to an init that does not handle any yet. Go's runtime
// takes the signal and raises it again with its default action, from which the kernel
// protects the first process of a namespace; then the runtime exits with 2.
func killedAsFirst(s unix.WaitStatus) bool { return s.Exited() && s.ExitStatus() == 2 }

// neverStarted records that there was no child.
func (w *childSupervisor) neverStarted(why string) {
	w.rec.CannotStart, w.rec.Reason, w.rec.Code, w.rec.Signal = true, why, nil, ""
	w.child = 0
}

func describeExit(code *int, signal string) string {
	if code == nil {
		return signal
	}
	return fmt.Sprintf("exit code %d", *code)
}

// isSandbox reports whether a process is part of the sandbox itself. An init
// whose wrapper has died first has another parent.
func (w *childSupervisor) isSandbox(p process) bool {
	in := w.sandboxed
	return in != nil && in.wrapper != 0 && (p.PID == in.wrapper || p.Parent == in.wrapper || p.PID == in.init)
}

// isChild reports whether a process is the child or part of its sandbox: none of
// these is a leftover.
func (w *childSupervisor) isChild(p process) bool {
	return p.PID == w.child || w.isSandbox(p) || w.sandboxed != nil && p.PID == w.sandboxed.child
}
