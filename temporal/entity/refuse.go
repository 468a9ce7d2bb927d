package entity

import (
	"encoding/json"
	"fmt"

	"go.temporal.io/sdk/temporal"
)

// The types of refusals, as callers see them in a *temporal.ApplicationError.
const (
	Fenced   = "fenced"   // another owner acquired the run, or the lease was released
	Held     = "held"     // a living owner has the run
	Archived = "archived" // the run is archived
	Invalid  = "invalid"  // the caller continues from another state than the recorded one
	Large    = "large"    // more bytes than an entity keeps
)

func refuse(kind, format string, args ...any) error {
	return temporal.NewNonRetryableApplicationError(fmt.Sprintf(format, args...), kind, nil)
}

// mayAcquire refuses an acquisition, unless it repeats the newest one.
func (r *Run) mayAcquire(a Acquire) error {
	switch {
	case r.Archived:
		return refuse(Archived, "%s is archived", r.ID)
	case a.Owner.Token == "" || a.Owner.Queue == "" || a.Owner.Heartbeat <= 0:
		return refuse(Invalid, "the owner of %s is incomplete", r.ID)
	case a.Fits() != nil:
		return a.Fits()
	case a.Owner.Token == r.Owner.Token && r.Released:
		return refuse(Fenced, "the lease of %s was released", r.ID)
	case a.Owner.Token == r.Owner.Token:
		return nil
	case r.Live && !a.TakeOver:
		return refuse(Held, "%s is run by %s", r.ID, r.Owner.Name)
	}
	return nil
}

// mayWrite refuses what is not done under the newest epoch.
func (r *Run) mayWrite(epoch int64) error {
	switch {
	case epoch != r.Epoch:
		return refuse(Fenced, "%s was taken over: its epoch is %d, not %d", r.ID, r.Epoch, epoch)
	case r.Released:
		return refuse(Fenced, "the lease of %s was released", r.ID)
	}
	return nil
}

// mayCommit refuses a commit, unless it repeats the newest one.
func (r *Run) mayCommit(c Commit) error {
	if err := r.mayWrite(c.Epoch); err != nil {
		return err
	}
	switch {
	case c.Fits() != nil:
		return c.Fits()
	case c.Mark == r.Last:
		return nil
	case c.Mark.Number != r.Last.Number+1 || c.Seq != r.Seq:
		return refuse(Invalid, "%s is at event %d and commit %d; this commit continues from event %d and has number %d",
			r.ID, r.Seq, r.Last.Number, c.Seq, c.Mark.Number)
	}
	for i, e := range c.Events {
		if e.Seq != r.Seq+int64(i)+1 || e.Epoch != c.Epoch || e.Name == "" {
			return refuse(Invalid, "event %d of a commit of %s is numbered %d under epoch %d", i, r.ID, e.Seq, e.Epoch)
		}
	}
	return nil
}

// maySend refuses a message that does not fit.
func (r *Run) maySend(m Message) error {
	switch {
	case m.Token == "" || m.Kind == "":
		return refuse(Invalid, "a message to %s has no token or no kind", r.ID)
	case m.Fits() != nil:
		return m.Fits()
	case r.waiting()+m.size() > MaxInbox:
		return refuse(Large, "the inbox of %s is full", r.ID)
	}
	return nil
}

func (r *Run) waiting() int {
	size := 0
	for _, m := range r.Inbox {
		size += m.size()
	}
	return size
}

// Fits refuses what is too large for an entity. Clients ask before they send: the
// server returns a refused request with its refusal, and a large one would block the
// workflow all the same.
func (a Acquire) Fits() error {
	if len(a.Spec) > MaxState {
		return refuse(Large, "the request of a run has %d bytes; at most %d", len(a.Spec), MaxState)
	}
	return nil
}

// Fits refuses a transition that is too large for an entity.
func (c Commit) Fits() error {
	size := 0
	for _, e := range c.Events {
		size += e.size()
	}
	if len(c.State) > MaxState || size > MaxState {
		return refuse(Large, "a transition has a state of %d and events of %d bytes; at most %d each", len(c.State), size, MaxState)
	}
	return nil
}

// Fits refuses a message that is too large for an entity.
func (m Message) Fits() error {
	if size := m.size(); size > MaxMessage {
		return refuse(Large, "a message has %d bytes; at most %d", size, MaxMessage)
	}
	return nil
}

// size is that of the encoded message: a control character takes six bytes.
func (m Message) size() int {
	data, err := json.Marshal(m)
	if err != nil {
		return MaxInbox // a time that JSON cannot tell
	}
	return len(data)
}

func (e Entry) size() int { return len(e.Name) + len(e.Data) }
