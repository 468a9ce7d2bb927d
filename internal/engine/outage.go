package engine

import "errors"

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
