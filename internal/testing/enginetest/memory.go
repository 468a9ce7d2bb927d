package enginetest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Memory is an engine.Store without a database: a mutex and maps. It shows what an
// engine needs of the place where runs live, and tests that need no database use
// it. Runs are lost with it; an owner is a name, and a lease ends only by Release or
// by being taken over.
type Memory[S any, E journal.Event, L engine.Lease[S, E]] struct {
	idOf   func(S) string
	traits func(engine.Stored[S]) engine.Traits
	// again: a run that has ended may run again, so lists begin with what changed last.
	again  bool
	encode func(E) (string, []byte, error)
	decode func(string, []byte) (E, error)
	lease  func(*memoryLease[S, E, L]) L

	mu   sync.Mutex
	runs []*memoryRun[S] // in the order in which they were created
}

type memoryRun[S any] struct {
	engine.Stored[S]
	id      string
	events  []engine.Event
	inbox   []journal.Message
	sent    int64
	changed int // counts the changes of all runs, for the order of lists
	wake    chan struct{}
}

// Plans are plans in memory.
type Plans struct {
	*Memory[plan.State, plan.Event, engine.PlanLease]

	mu       sync.Mutex
	approved map[[2]string]string
}

// NewPlans returns a store of plans in memory.
func NewPlans() *Plans {
	return &Plans{
		Memory: &Memory[plan.State, plan.Event, engine.PlanLease]{
			idOf: func(s plan.State) string { return s.ID }, traits: engine.PlanTraits, again: true,
			encode: plan.Encode, decode: plan.Decode, lease: func(l *memoryLease[plan.State, plan.Event, engine.PlanLease]) engine.PlanLease { return unpaid{l} },
		},
		approved: map[[2]string]string{},
	}
}

// NewLoops returns a store of loops in memory, without budgets.
func NewLoops() *Memory[loop.State, loop.Event, engine.LoopLease] {
	made := &checkpoints{newest: map[string]loop.Checkpoint{}}
	return &Memory[loop.State, loop.Event, engine.LoopLease]{
		idOf: func(s loop.State) string { return s.ID }, traits: engine.LoopTraits,
		encode: loop.Encode, decode: loop.Decode, lease: func(l *memoryLease[loop.State, loop.Event, engine.LoopLease]) engine.LoopLease {
			return loopLease{l, made}
		},
	}
}

// Approve records that a person accepted a command.
func (p *Plans) Approve(_ context.Context, id, digest, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.approved[[2]string{id, digest}] = by
	return nil
}

// Approved reports whether a person accepted a command.
func (p *Plans) Approved(_ context.Context, id, digest string) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.approved[[2]string{id, digest}]
	return ok, nil
}

// of returns the run with an id, or nil. The lock is held.
func (m *Memory[S, E, L]) of(id string) *memoryRun[S] {
	for _, r := range m.runs {
		if r.id == id {
			return r
		}
	}
	return nil
}

// found does something with a run under the lock.
func (m *Memory[S, E, L]) found(id string, do func(*memoryRun[S]) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.of(id)
	if r == nil {
		return fmt.Errorf("%w: %s", engine.ErrNotFound, id)
	}
	return do(r)
}

// Create records a new run and acquires it.
func (m *Memory[S, E, L]) Create(_ context.Context, first S, spec []byte) (l L, err error) {
	id := m.idOf(first)
	if err := loop.ValidID(id); err != nil {
		return l, err
	}
	kept, err := copied(first)
	if err != nil {
		return l, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of(id) != nil {
		return l, engine.ErrExists
	}
	r := &memoryRun[S]{id: id, wake: make(chan struct{}, 1)}
	r.State = kept
	m.runs = append(m.runs, r)
	return m.acquire(r, spec), nil
}

// Acquire returns the lease of a run.
func (m *Memory[S, E, L]) Acquire(_ context.Context, id string, spec []byte, takeOver bool) (l L, err error) {
	err = m.found(id, func(r *memoryRun[S]) error {
		if r.Live && !takeOver {
			return fmt.Errorf("%s: %w", id, engine.ErrRunning)
		}
		signal(r.wake) // the former owner has to find out
		r.wake = make(chan struct{}, 1)
		l = m.acquire(r, spec)
		return nil
	})
	return l, err
}

// acquire raises the epoch. The lock is held.
func (m *Memory[S, E, L]) acquire(r *memoryRun[S], spec []byte) L {
	r.Epoch++
	r.Live, r.Archived, r.Owner, r.Process = true, false, "memory", "memory"
	if len(spec) > 0 {
		r.Spec = slices.Clone(spec)
	}
	m.touch(r)
	if len(r.inbox) > 0 {
		signal(r.wake)
	}
	return m.lease(&memoryLease[S, E, L]{m: m, id: r.id, epoch: r.Epoch, wake: r.wake, found: r.sent})
}

// touch makes a run the one that changed last. The lock is held.
func (m *Memory[S, E, L]) touch(r *memoryRun[S]) {
	for _, other := range m.runs {
		r.changed = max(r.changed, other.changed+1)
	}
	r.Updated = time.Now()
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Read returns one run.
func (m *Memory[S, E, L]) Read(_ context.Context, id string) (out engine.Stored[S], err error) {
	err = m.found(id, func(r *memoryRun[S]) error {
		out = r.Stored
		out.State, err = copied(r.State)
		return err
	})
	return out, err
}

// copied returns a state as a database would give it back: nothing is shared with
// its writer.
func copied[S any](s S) (out S, err error) {
	data, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}

// List returns the newest first.
func (m *Memory[S, E, L]) List(_ context.Context, f engine.Filter) (out []engine.Stored[S], err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := slices.Clone(m.runs)
	slices.Reverse(all)
	if m.again {
		slices.SortStableFunc(all, func(a, b *memoryRun[S]) int { return cmp.Compare(b.changed, a.changed) })
	}
	for _, r := range all {
		if f.Limit > 0 && len(out) == f.Limit {
			break
		}
		if !f.Selects(m.traits(r.Stored)) {
			continue
		}
		one := r.Stored
		if one.State, err = copied(r.State); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// Count returns how many runs a list without a limit has.
func (m *Memory[S, E, L]) Count(ctx context.Context, f engine.Filter) (int, error) {
	f.Limit = 0
	all, err := m.List(ctx, f)
	return len(all), err
}

// Unknown lists the runs, archived ones too, that a caller does not have as they are.
func (m *Memory[S, E, L]) Unknown(ctx context.Context, have engine.Known) ([]engine.Stored[S], error) {
	all, err := m.List(ctx, engine.Filter{Archived: true})
	return slices.DeleteFunc(all, func(r engine.Stored[S]) bool {
		id := m.idOf(r.State)
		if r.Archived {
			return have.Archived(id)
		}
		return !r.Live && have.At(id, r.Seq)
	}), err
}

// Resolve returns the id that a prefix stands for.
func (m *Memory[S, E, L]) Resolve(_ context.Context, prefix string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var listed, archived []string
	for _, r := range m.runs {
		if r.Archived {
			archived = append(archived, r.id)
		} else {
			listed = append(listed, r.id)
		}
	}
	return engine.ResolvePrefix(prefix, listed, archived)
}

// Events returns those after a number.
func (m *Memory[S, E, L]) Events(_ context.Context, id string, after int64) (out []engine.Event, err error) {
	err = m.found(id, func(r *memoryRun[S]) error {
		out = slices.Clone(r.events[min(max(after, 0), int64(len(r.events))):])
		return nil
	})
	return out, err
}

// Send puts a message into a run's inbox.
func (m *Memory[S, E, L]) Send(_ context.Context, id string, msg journal.Message) error {
	return m.found(id, func(r *memoryRun[S]) error {
		r.sent++
		msg.ID, msg.At = r.sent, time.Now()
		r.inbox = append(r.inbox, msg)
		signal(r.wake)
		return nil
	})
}

// Unread reports whether a message waits for the owner of a run that has not ended.
func (m *Memory[S, E, L]) Unread(_ context.Context, id string) (waits bool, err error) {
	err = m.found(id, func(r *memoryRun[S]) error {
		waits = len(r.inbox) > 0 && !m.traits(r.Stored).Ended
		return nil
	})
	return waits, err
}

// Archive hides a run that has ended.
func (m *Memory[S, E, L]) Archive(_ context.Context, id string) error {
	return m.found(id, func(r *memoryRun[S]) error {
		if !m.traits(r.Stored).Ended {
			return fmt.Errorf("archive %s: %w", id, engine.ErrNotEnded)
		}
		r.Archived = true
		return nil
	})
}
