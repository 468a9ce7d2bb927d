package engine

import (
	"errors"
	"time"

	"ralph/internal/text"
)

// RemotePatience is how long what needs the remote is tried again while that is away, or
// refuses. Then the run is left to whichever worker takes it: the step is done again.
const RemotePatience = 10 * time.Minute

// RemotePause is the pause after the nth try, from 0.
func RemotePause(n int) time.Duration { return min(time.Second<<min(n, 5), 20*time.Second) }

// unreached is the error of something outside of this machine that could not be reached. It says
// nothing about the work, which waits.
type unreached interface {
	error
	Unreached() (what string, why error)
}

// mostOfGit bounds what is shown of the words of git, or of an object store.
const mostOfGit = 200

// WaitsFor tells that work waits for the remote or for the files that a team shares, where that
// explains an error, and why; else it is empty.
func WaitsFor(err error) string {
	away, is := errors.AsType[unreached](err)
	if !is {
		return ""
	}
	what, why := away.Unreached()
	return "waits for " + what + ": " + text.Clip(text.Line(why.Error()), mostOfGit)
}

// Outage is a server that does not answer a command that follows a run. The command waits
// for it, because the run may continue meanwhile.
type Outage bool

// Passes reports whether a look failed because of an outage, and tells the user once.
func (o *Outage) Passes(say func(format string, args ...any), err error) bool {
	is := errors.Is(err, ErrAway)
	if is && !bool(*o) {
		say("! %v; waiting for it", err)
	}
	*o = Outage(is)
	return is
}
