package proc

import (
	"context"
	"errors"
	"os"
)

// backgroundArg is the first argument of the program when it is to continue in
// the background.
const backgroundArg = "__background"

// ErrNoBackground is returned where a program cannot outlive its terminal.
var ErrNoBackground = errors.New("background runs are not supported on this system")

// Background is this program, started again to continue in the background:
//
//	starter                             background
//	   |  same terminal, same group       |
//	   |--- "ralph __background ARGS" --->|  asks, refuses, prints as the starter would
//	   |                                  |
//	   |<===== hand-off: a pipe ==========|
//	   |       one byte: detached         |  a session of its own; no input, output to a log
//	   X  exits 0                         |  continues
//
// Until then it is an ordinary part of the user's command: ctrl-c and a lost
// terminal end both, its output reaches the user, and its exit code is the
// starter's. Afterwards it keeps nothing of the starter's but the environment.
type Background struct {
	// Args follow the program's name.
	Args []string
	Dir  string
	Env  []string
	// The streams until the hand-off.
	In, Out, Err *os.File
	// OwnSession: it was not started by a user and leads a session of its own
	// from the beginning, since a ctrl-c is not meant for it.
	OwnSession bool
}

// HandoffResult is the outcome of a hand-off.
type HandoffResult struct {
	// Detached: it continues by itself. Otherwise it has ended with Code, which
	// is -1 after a signal.
	Detached bool
	Code     int
}

// Start starts it and returns when it has detached or ended. When ctx ends first
// the hand-off is cancelled: work that has not begun by then does not begin.
func (b Background) Start(ctx context.Context) (HandoffResult, error) { return b.start(ctx) }

// AcceptHandoff reports whether this program was started to continue in the
// background. If so, args come back as the starter had them.
func AcceptHandoff(args []string) (*Handoff, []string) {
	if len(args) == 0 || args[0] != backgroundArg {
		return nil, args
	}
	return openHandoff(), args[1:]
}
