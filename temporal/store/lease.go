package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/temporal/entity"
)

// Lease is the right to write one run.
type Lease[S any, E journal.Event] struct {
	s     *Store[S, E]
	id    string
	owner entity.Owner
	// ended is done when the lease was released, or was never granted.
	ended context.Context
	end   context.CancelFunc
	wake  chan struct{}
	looks sync.WaitGroup

	mu      sync.Mutex
	epoch   int64
	seq     int64
	commits int64
	state   S

	// awaits is what the owner waits for, a string.
	awaits atomic.Value

	// glanced is the newest answer to a glance.
	glanced atomic.Pointer[glanced]
}

// glanced is an answer of an entity, and the mark that it had before.
type glanced struct {
	at mark
	entity.Glance
}

var (
	_ engine.Lease[loop.State, loop.Event] = (*Lease[loop.State, loop.Event])(nil)
	_ engine.Lease[plan.State, plan.Event] = (*Lease[plan.State, plan.Event])(nil)
	_ engine.Awaiting                      = (*Lease[plan.State, plan.Event])(nil)
)

// lease returns one that is not granted yet. The server may ask for its owner before
// the answer to the request arrives.
func (s *Store[S, E]) lease(id string, owner entity.Owner) *Lease[S, E] {
	l := &Lease[S, E]{s: s, id: id, owner: owner, wake: make(chan struct{}, 1)}
	ended, cancel := context.WithCancel(context.Background())
	l.ended, l.end = ended, cancel
	l.Await("")
	context.AfterFunc(ended, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.held, owner.Token)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[owner.Token] = l
	return l
}

// begin makes the lease usable. Messages that wait are announced.
func (l *Lease[S, E]) begin(epoch, seq, sent int64, state S) {
	l.epoch, l.seq, l.state = epoch, seq, state
	l.signal()
	l.looks.Go(func() { l.look(sent) })
}

// look signals new messages, and the loss of the lease, until it ends.
func (l *Lease[S, E]) look(sent int64) {
	every := time.NewTicker(l.s.o.Look)
	defer every.Stop()
	for {
		select {
		case <-every.C:
		case <-l.ended.Done():
			return
		}
		g, err := l.glance(l.ended)
		if err != nil {
			continue // the next commit finds out
		}
		if g.Sent > sent || g.Epoch != l.epoch {
			l.signal()
		}
		if g.Epoch != l.epoch {
			return
		}
		sent = g.Sent
		if !g.Live {
			l.again()
		}
	}
}

// glance asks the entity, unless it has not changed since it was asked last.
func (l *Lease[S, E]) glance(ctx context.Context) (g entity.Glance, err error) {
	err = untilAnswered(ctx, func(ctx context.Context) error {
		at, err := l.s.markOf(ctx, l.id)
		if err != nil {
			return err
		}
		if last := l.glanced.Load(); last != nil && last.at == at {
			g = last.Glance
			return nil
		}
		if err := l.s.query(ctx, l.id, entity.GlanceQuery, &g); err != nil {
			return err
		}
		l.glanced.Store(&glanced{at, g})
		return nil
	})
	return g, err
}

// again tells the entity that the owner lives, after its heartbeats were lost. An error
// shows in the next commit.
func (l *Lease[S, E]) again() {
	name := "again-" + newToken()
	_ = l.s.update(l.ended, l.id, entity.AcquireUpdate, name, entity.Acquire{Owner: l.owner}, nil)
}

func (l *Lease[S, E]) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// ID of the run.
func (l *Lease[S, E]) ID() string { return l.id }

// Epoch of the lease.
func (l *Lease[S, E]) Epoch() int64 { return l.epoch }

// Wake signals that there may be a message, or another owner.
func (l *Lease[S, E]) Wake() <-chan struct{} { return l.wake }

// State is the committed state.
func (l *Lease[S, E]) State() S {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Seq is the number of the newest event.
func (l *Lease[S, E]) Seq() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}

// Await lets the heartbeats tell what the owner waits for; they cost no event.
func (l *Lease[S, E]) Await(what string) { l.awaits.Store(what) }

var errReleased = errors.New("the lease was released")

// Commit records a transition.
func (l *Lease[S, E]) Commit(ctx context.Context, next S, events []E, took ...int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended.Err() != nil {
		return fmt.Errorf("commit %s %s: %w", l.s.kind.name, l.id, errReleased)
	}
	c, err := l.transition(next, events, took)
	if err != nil {
		return fmt.Errorf("commit %s %s: %w", l.s.kind.name, l.id, err)
	}
	name := fmt.Sprintf("commit-%d-%d", c.Epoch, c.Mark.Number)
	if err := l.s.update(ctx, l.id, entity.CommitUpdate, name, c, nil); err != nil {
		return l.lost(err)
	}
	l.state, l.seq, l.commits = next, l.seq+int64(len(events)), c.Mark.Number
	return nil
}

// lost: an entity that is gone (archived, or removed on the server) accepts no commit
// any more.
func (l *Lease[S, E]) lost(err error) error {
	if errors.Is(err, engine.ErrNotFound) {
		return fmt.Errorf("%w: %w", engine.ErrFenced, err)
	}
	return err
}

func (l *Lease[S, E]) transition(next S, events []E, took []int64) (c entity.Commit, err error) {
	if id := l.s.kind.id(next); id != l.id {
		return c, fmt.Errorf("the state is about %q", id)
	}
	c = entity.Commit{Epoch: l.epoch, Seq: l.seq, Took: took, Ended: l.s.kind.ended(next)}
	if c.State, err = json.Marshal(next); err != nil {
		return c, err
	}
	for i, e := range events {
		name, data, err := l.s.kind.encode(e)
		if err != nil {
			return c, err
		}
		c.Events = append(c.Events, entity.Entry{Seq: l.seq + int64(i) + 1, Epoch: l.epoch, At: e.When(), Name: name, Data: data})
	}
	if err := c.Fits(); err != nil {
		return c, err
	}
	content, err := json.Marshal(c)
	digest := sha256.Sum256(content)
	c.Mark = entity.Mark{Number: l.commits + 1, Digest: hex.EncodeToString(digest[:])}
	return c, err
}

// Owned returns nil while the run is ours.
func (l *Lease[S, E]) Owned(ctx context.Context) error {
	g, err := l.glance(ctx)
	if err != nil {
		return l.lost(l.s.situation(l.id, "check", err))
	}
	return l.ours(g.Epoch)
}

func (l *Lease[S, E]) ours(epoch int64) error {
	if epoch != l.epoch {
		return fmt.Errorf("%s %s has epoch %d, ours is %d: %w", l.s.kind.name, l.id, epoch, l.epoch, engine.ErrFenced)
	}
	return nil
}

// Inbox lists the messages that no commit took.
func (l *Lease[S, E]) Inbox(ctx context.Context) ([]journal.Message, error) {
	run, err := l.s.run(ctx, l.id)
	if err != nil {
		return nil, l.lost(err)
	}
	if err := l.ours(run.Epoch); err != nil {
		return nil, err
	}
	out := make([]journal.Message, len(run.Inbox))
	for i, m := range run.Inbox {
		out[i] = journal.Message{ID: m.ID, At: m.At, Kind: m.Kind, Text: m.Text, By: m.By}
	}
	return out, nil
}

// ForgetRecovery does nothing: this store keeps no record of recoveries.
func (l *Lease[S, E]) ForgetRecovery(ctx context.Context) error { return l.Owned(ctx) }

// releaseFor bounds the wait for a server that does not answer to a release. The
// heartbeats have ended then, so the lease ends without it.
const releaseFor = time.Minute

// Release ends the lease.
func (l *Lease[S, E]) Release(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, releaseFor)
	defer cancel()
	name := fmt.Sprintf("release-%d", l.epoch)
	err := l.s.update(ctx, l.id, entity.ReleaseUpdate, name, entity.Release{Epoch: l.epoch}, nil)
	l.end()
	l.looks.Wait()
	if err = l.lost(err); errors.Is(err, engine.ErrFenced) {
		return nil // another owner has the run, and this one's lease is over
	}
	return err
}
