package loop

import "time"

// Standing is how a run stands.
type Standing struct {
	Status  Status `json:"status"`
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// Move is a way from one store to another, and how the run stood before it set out.
type Move struct {
	From Home `json:"from"`
	To   Home `json:"to"`
	// At is when the move began; zero for a record that is not complete.
	At time.Time `json:"at,omitzero"`
	Standing
}

// Transit is the part of the state of a run, a loop or a plan, that a move changes. It is a
// value: its methods return the changed one, which the state adopts.
type Transit struct {
	Standing
	EndedAt time.Time
	// Move began and has not arrived; in the store that the run left it is the move with which
	// it left. Partial is set in a store that has not got all events of the run yet. Origin is
	// where the run came from last.
	Move    *Move
	Partial *Move
	Origin  *Home
}

// Away reports whether the run has left this store.
func (t Transit) Away() bool { return t.Move != nil && t.Status == Aborted && t.Reason == Left }

// Moving returns the ends of a move that has not been completed: the run is leaving this
// store, or arrives here.
func (t Transit) Moving() (from, to Home, moving bool) {
	switch {
	case t.Partial != nil:
		return t.Partial.From, t.Partial.To, true
	case t.Move != nil && !t.Away():
		return t.Move.From, t.Move.To, true
	}
	return from, to, false
}

// Refusal returns why an event cannot happen to a run that has left, or is leaving; empty
// where it can. The event is the one that leaves, the one that arrives, or another one.
func (t Transit) Refusal(leaves, arrives bool) string {
	switch {
	case t.Partial != nil:
		return "it is being moved here from " + t.Partial.From.String()
	case t.Move == nil, arrives, leaves && !t.Away():
		return ""
	case t.Away():
		return "it was moved to " + t.Move.To.String()
	}
	return "it is being moved to " + t.Move.To.String()
}

// Suspend makes the run one from which nothing continues: not all events are there.
func (t Transit) Suspend(from, to Home) Transit {
	t.Partial = &Move{From: from, To: to, Standing: t.Standing}
	t.Standing = Standing{Paused, ForMove, "its record is being copied from " + from.String()}
	return t
}

// Complete undoes Suspend.
func (t Transit) Complete() Transit {
	if t.Partial != nil {
		t.Standing, t.Partial = t.Partial.Standing, nil
	}
	return t
}

// Unmove makes the run the one that it is apart from a move.
func (t Transit) Unmove() Transit {
	t = t.Complete()
	if t.Move != nil {
		t.Standing, t.Move = t.Move.Standing, nil
	}
	return t
}

// Begin begins a move: the run stands still until it has arrived. The refusal is why that
// cannot be; empty where it can.
func (t Transit) Begin(from, to Home, at time.Time) (_ Transit, refusal string) {
	if from.Engine == "" || to.Engine == "" || from.Same(to) {
		return t, "where it goes is missing"
	}
	t.Move = &Move{From: from, To: to, At: at, Standing: t.Standing}
	t.Standing = Standing{Paused, ForMove, "it is being moved to " + to.String()}
	return t, ""
}

// Leave ends the record in the store that a moving run leaves.
func (t Transit) Leave(at time.Time) (_ Transit, refusal string) {
	if t.Move == nil || t.Away() {
		return t, "it is not being moved"
	}
	t.Standing = Standing{Aborted, Left, "moved to " + t.Move.To.String()}
	if t.EndedAt.IsZero() {
		t.EndedAt = at
	}
	return t, ""
}

// Arrive continues the run in the store where this is recorded: the one that it moved to, or
// the one that it did not leave after all.
func (t Transit) Arrive() (_ Transit, refusal string) {
	if t.Move == nil {
		return t, "it was not moved"
	}
	if t.Away() {
		t.Origin = new(t.Move.From)
	}
	t.Standing, t.Move = t.Move.Standing, nil
	if !t.Status.Terminal() {
		t.EndedAt = time.Time{}
	}
	return t, ""
}
