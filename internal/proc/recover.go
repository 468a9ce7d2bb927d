package proc

// How is the finding of Recover.
type How string

const (
	// LeftNone: nothing was ever started in this run directory.
	LeftNone How = "none"
	// LeftDone: the child ended by itself; Exit has its result.
	LeftDone How = "done"
	// LeftEnded: the child was running and has been ended, now or by its shim
	// when the supervisor died.
	LeftEnded How = "ended"
	// LeftLost: a child was started and its end is unknown: the machine was
	// restarted, or the shim was killed and left no trace.
	LeftLost How = "lost"
)

// Left is the state of a dead supervisor's run directory.
type Left struct {
	How How
	// Exit is as complete as the records.
	Exit Exit
	// Reason describes the finding where there is no Exit.
	Reason string
}

// left returns the finding of an exit.json.
func (r exitRecord) left() Left {
	e := r.exit()
	if r.Ended == byItself {
		return Left{How: LeftDone, Exit: e}
	}
	if e.Reason == "" && r.Ended == byAbandoned {
		e.Reason = "the supervisor was gone"
	}
	return Left{How: LeftEnded, Exit: e, Reason: e.Reason}
}
