package entity

import (
	"slices"
	"time"
)

// Again is an archived run as it begins its next execution: no owner has it, and it is
// listed again. Execution is the one that ended with the archived run.
func (r Run) Again(execution string) Run {
	r.Archived, r.Live, r.Released, r.Before = false, false, true, execution
	return r
}

// acquire gives the run to an owner; the repeated request of the present one changes
// nothing.
func (r *Run) acquire(a Acquire, now time.Time) (changed bool) {
	if a.Owner.Token == r.Owner.Token {
		return false
	}
	r.Epoch++
	r.Owner, r.Live, r.Released, r.Last, r.Updated = a.Owner, true, false, Mark{}, now
	if len(a.Spec) > 0 {
		r.Spec = a.Spec
	}
	return true
}

func (r *Run) acquired() Acquired {
	return Acquired{Epoch: r.Epoch, Seq: r.Seq, State: r.State, Sent: r.Sent}
}

// commit records a transition; a repeated one changes nothing.
func (r *Run) commit(c Commit, now time.Time) {
	if c.Mark == r.Last {
		return
	}
	r.State, r.Last, r.Seq, r.Updated = c.State, c.Mark, r.Seq+int64(len(c.Events)), now
	r.Ended = c.Ended
	r.Inbox = slices.DeleteFunc(r.Inbox, func(m Message) bool { return slices.Contains(c.Took, m.ID) })
	r.Journal = append(r.Journal, c.Events...)
	r.trim()
}

// trim drops the oldest events until the journal fits.
func (r *Run) trim() {
	size, from := 0, len(r.Journal)
	for from > 0 && size+r.Journal[from-1].size() <= MaxJournal {
		from--
		size += r.Journal[from].size()
	}
	r.Journal = slices.Clone(r.Journal[from:])
}

// Oldest is the number of the oldest event of the journal; without one, of the next event.
func (r Run) Oldest() int64 { return r.Seq + 1 - int64(len(r.Journal)) }

func (r *Run) release() { r.Live, r.Released = false, true }

// send puts a message into the inbox, and returns its number; that of a repeated
// message is 0.
func (r *Run) send(m Message, now time.Time) int64 {
	if slices.Contains(r.Tokens, m.Token) {
		return 0
	}
	r.Sent++
	m.ID, m.At = r.Sent, now
	r.Inbox = append(r.Inbox, m)
	r.Tokens = append(r.Tokens, m.Token)
	r.Tokens = slices.Clone(r.Tokens[max(len(r.Tokens)-keptTokens, 0):])
	return m.ID
}
