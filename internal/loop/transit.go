package loop

import "time"

// Move is one that began and has not arrived, or in the store that the run left the move
// with which it left.
type Move struct {
	From Home      `json:"from"`
	To   Home      `json:"to"`
	At   time.Time `json:"at"`
	// How the run stood before.
	Status  Status `json:"status"`
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// Partial is set in a store that has not got all events of a run yet.
type Partial struct {
	From Home `json:"from"`
	To   Home `json:"to"`
	// How the run stood after the events that are there.
	Status  Status `json:"status"`
	Reason  Reason `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// Transit is the part of the state of a run, a loop or a plan, that a move changes.
type Transit struct {
	Status  *Status
	Reason  *Reason
	Message *string
	EndedAt *time.Time
	Move    **Move
	Partial **Partial
	Origin  **Home
}

func (t Transit) stand(status Status, reason Reason, message string) {
	*t.Status, *t.Reason, *t.Message = status, reason, message
}

// Away reports whether the run has left this store.
func (t Transit) Away() bool { return *t.Move != nil && *t.Status == Aborted && *t.Reason == Left }

// Moving returns the ends of a move that has not been completed: the run is leaving this
// store, or arrives here.
func (t Transit) Moving() (from, to Home, moving bool) {
	switch m, p := *t.Move, *t.Partial; {
	case p != nil:
		return p.From, p.To, true
	case m != nil && !t.Away():
		return m.From, m.To, true
	}
	return from, to, false
}

// Refusal returns why an event cannot happen to a run that has left, or is leaving; empty
// where it can. The event is the one that leaves, the one that arrives, or another one.
func (t Transit) Refusal(leaves, arrives bool) string {
	m := *t.Move
	switch {
	case *t.Partial != nil:
		return "it is being moved here from " + (*t.Partial).From.String()
	case m == nil, arrives, leaves && !t.Away():
		return ""
	case t.Away():
		return "it was moved to " + m.To.String()
	}
	return "it is being moved to " + m.To.String()
}

// Suspend makes the state one from which nothing continues: not all events are there.
func (t Transit) Suspend(from, to Home) {
	*t.Partial = &Partial{From: from, To: to, Status: *t.Status, Reason: *t.Reason, Message: *t.Message}
	t.stand(Paused, ForMove, "its record is being copied from "+from.String())
}

// Complete undoes Suspend.
func (t Transit) Complete() {
	if p := *t.Partial; p != nil {
		t.stand(p.Status, p.Reason, p.Message)
		*t.Partial = nil
	}
}

// Unmove makes the state the one that it is apart from a move.
func (t Transit) Unmove() {
	t.Complete()
	if m := *t.Move; m != nil {
		t.stand(m.Status, m.Reason, m.Message)
		*t.Move = nil
	}
}

// Begin begins a move: the run stands still until it has arrived. It returns why that cannot
// be; empty where it can.
func (t Transit) Begin(from, to Home, at time.Time) (refusal string) {
	if from.Engine == "" || to.Engine == "" || from.Same(to) {
		return "where it goes is missing"
	}
	*t.Move = &Move{From: from, To: to, At: at, Status: *t.Status, Reason: *t.Reason, Message: *t.Message}
	t.stand(Paused, ForMove, "it is being moved to "+to.String())
	return ""
}

// Leave ends the record in the store that a moving run leaves. It returns why that cannot be.
func (t Transit) Leave(at time.Time) (refusal string) {
	if *t.Move == nil || t.Away() {
		return "it is not being moved"
	}
	t.stand(Aborted, Left, "moved to "+(*t.Move).To.String())
	if t.EndedAt.IsZero() {
		*t.EndedAt = at
	}
	return ""
}

// Arrive continues the run in the store where this is recorded: the one that it moved to, or
// the one that it did not leave after all. It returns why that cannot be.
func (t Transit) Arrive() (refusal string) {
	m := *t.Move
	if m == nil {
		return "it was not moved"
	}
	if t.Away() {
		from := m.From
		*t.Origin = &from
	}
	t.stand(m.Status, m.Reason, m.Message)
	*t.Move = nil
	if !t.Status.Terminal() {
		*t.EndedAt = time.Time{}
	}
	return ""
}
