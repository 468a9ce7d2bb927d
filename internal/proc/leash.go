package proc

import (
	"context"
	"errors"
	"os"
)

// leashWord is the first argument of the program when it is to go on in the
// background.
const leashWord = "__leash"

// ErrNoBackground: on this system a program cannot outlive its terminal in the
// way of [OnLeash].
var ErrNoBackground = errors.New("going on in the background is not supported on this system")

// Background is this program, started again to go on in the background:
//
//	starter                        background
//	   |  same terminal, same group  |
//	   |--- "ralph __leash ARGS" --->|  asks, refuses, prints as the starter would
//	   |                             |
//	   |<====== leash: a pipe =======|
//	   |        one byte: let go     |  a session of its own; reads nothing, writes to a log
//	   X  exits 0                    |  goes on
//
// Until the leash is let go it is an ordinary part of what a person started:
// ctrl-c and a lost terminal end both, its words reach the person, and its exit
// code is the starter's. Afterwards nothing of the starter's is left to it but
// the environment.
type Background struct {
	// Args follow the program's name.
	Args []string
	Dir  string
	Env  []string
	// The streams it has until it is let go.
	In, Out, Err *os.File
	// Apart: no person started it. It leads a session of its own from the
	// beginning: a ctrl-c is not meant for it.
	Apart bool
}

// Parted is how starter and background parted.
type Parted struct {
	// LetGo: it goes on by itself. Otherwise it has ended with Code, which is
	// -1 after a signal.
	LetGo bool
	Code  int
}

// Start starts it and returns when it was let go, or has ended. When ctx ends
// before, it is let go of: what it has not begun by then it does not begin.
func (b Background) Start(ctx context.Context) (Parted, error) { return b.start(ctx) }

// OnLeash says whether this program was started to go on in the background. If
// so, args come back as the starter had them.
func OnLeash(args []string) (*Leash, []string) {
	if len(args) == 0 || args[0] != leashWord {
		return nil, args
	}
	return holdLeash(), args[1:]
}
