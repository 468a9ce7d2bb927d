package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"ralph/internal/loop"
)

// Cause returns what ended the child. Only [loop.CauseItself] says anything about the
// work that it did.
func (e Exit) Cause() loop.Cause {
	switch {
	case e.Lack:
		return loop.CauseLack
	case e.TimedOut, e.Stopped, e.Finished:
		return loop.CauseOrder
	case e.CannotStart:
		return loop.CauseItself
	case e.Lost, foreign(e.Signal), e.Code != nil && reportsKill(*e.Code):
		return loop.CauseSignal
	}
	return loop.CauseItself
}

// How describes the end in a few words: "exit code 1", "ended by SIGKILL".
func (e Exit) How() string {
	switch {
	case e.Lost && e.Reason != "":
		return e.Reason
	case e.Lost:
		return ErrLost.Error()
	case e.CannotStart:
		return e.Reason
	case e.TimedOut:
		return "timed out"
	case e.Code != nil && reportsKill(*e.Code):
		return fmt.Sprintf("exit code %d: a process of it was killed", *e.Code)
	case e.Code != nil:
		return fmt.Sprintf("exit code %d", *e.Code)
	case e.Signal != "":
		return "ended by " + e.Signal
	}
	return "its end is unknown"
}

// ownSignals are raised by a program's own fault, or by a timer or limit of its own.
// Any other comes from another process; a program that sends itself one cannot be told
// from that.
var ownSignals = []string{
	"SIGABRT", "SIGALRM", "SIGBUS", "SIGEMT", "SIGFPE", "SIGILL", "SIGIOT", "SIGPIPE", "SIGPROF", "SIGSEGV", "SIGSYS", "SIGTRAP", "SIGVTALRM",
	"SIGXCPU", "SIGXFSZ",
}

func foreign(signal string) bool { return signal != "" && !slices.Contains(ownSignals, signal) }

// reportsKill: a shell ends with 128 + n where signal n ended its command (POSIX). Of
// these codes only those of KILL and TERM are seldom a program's own: 129 is git's for
// a wrong option.
func reportsKill(code int) bool {
	return code == 128+int(syscall.SIGKILL) || code == 128+int(syscall.SIGTERM)
}

// Cut is the error of a program that was ended by a signal that ralph did not send, or
// for lack of memory, processes, descriptors or disk: it has no result.
type Cut struct {
	// What was cut off, How it ended.
	What, How string
	// Cause is loop.CauseSignal or loop.CauseLack.
	Cause loop.Cause
}

// Error names the program and its end.
func (c *Cut) Error() string { return c.What + ": " + c.How }

// CauseOf returns what an error of starting, running or reading a child comes from:
// loop.CauseItself where it is neither a foreign signal nor lack.
func CauseOf(err error) loop.Cause {
	if cut, ok := errors.AsType[*Cut](err); ok {
		return cut.Cause
	}
	if errors.Is(err, ErrLost) {
		return loop.CauseSignal
	}
	if lacks(err) {
		return loop.CauseLack
	}
	return loop.CauseItself
}

// lacks reports whether the machine lacks something that it may have again later, or a file
// of ralph's own could not be used for want of permission.
func lacks(err error) bool {
	for no := range lackErrors {
		if errors.Is(err, no) {
			return true
		}
	}
	return errors.Is(err, fs.ErrPermission) && ownFile(err)
}

// ownFile reports whether an error is of an access to a file, and not of starting a program:
// one that may not be executed is no lack.
func ownFile(err error) bool {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Op != "fork/exec"
	}
	_, link := errors.AsType[*os.LinkError](err)
	return link
}

// SaysLack reports whether a program's message has the words for such a lack.
func SaysLack(text string) bool {
	for _, words := range lackErrors {
		if words != "" && strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// notForked is the error of a process that could not be started.
func notForked(what string, err error) error {
	if forkLacks(err) {
		return &Cut{What: what, How: err.Error(), Cause: loop.CauseLack}
	}
	return fmt.Errorf("%s: %w", what, err)
}

// forkLacks is lacks for an error of starting a process: then EAGAIN means that there
// are too many.
func forkLacks(err error) bool { return lacks(err) || errors.Is(err, syscall.EAGAIN) }
