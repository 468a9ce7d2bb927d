package local

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/runner"
	"ralph/internal/engine/situation"
	"ralph/internal/recovery"
)

// Supervisor restarts crashed loops and plans of one repository on this machine. It owns
// none of them: it starts other processes to run them, which outlive it. Any
// number of supervisors may watch the same runs.
type Supervisor struct {
	Engine  *Engine
	Tracker recovery.Tracker
	// By names the supervisor, for the record.
	By string
	// Start resumes a run in a process of its own, and returns when that
	// process runs it, or an error if it does not. An error that is
	// engine.ErrNotNow is no fault of the run.
	Start func(ctx context.Context, a recovery.Action) error
	// Tell receives a report of each act.
	Tell func(Did)
	// Since is the clock that only goes forward; nil is the process's own.
	Since func() time.Duration
}

// Did is the result of an act.
type Did struct {
	recovery.Action
	Err error
}

// Run looks at once and then each time after every, until ctx ends. A round
// that fails is reported, and the next one makes up for it.
func (s *Supervisor) Run(ctx context.Context, every time.Duration) error {
	began := time.Now()
	if s.Since == nil {
		s.Since = func() time.Duration { return time.Since(began) }
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := s.Round(ctx); err != nil && ctx.Err() == nil {
			s.Tell(Did{Err: err})
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Round looks once and carries out the acts that are due, in parallel.
func (s *Supervisor) Round(ctx context.Context) error {
	if err := s.Engine.RecordDue(ctx); err != nil {
		return fmt.Errorf("record what is due: %w", err)
	}
	found, err := s.Engine.store.Unended(ctx)
	if err != nil {
		return situation.Of(err)
	}
	s.Engine.limitsOver(ctx, found)
	var all sync.WaitGroup
	for _, a := range s.Tracker.Look(s.Since(), s.Engine.now(), found) {
		all.Go(func() {
			if won, err := s.Do(ctx, a); won || err != nil {
				s.Tell(Did{a, err})
			}
		})
	}
	all.Wait()
	return nil
}

// Do carries an act out, unless another process is faster: then it returns
// false.
func (s *Supervisor) Do(ctx context.Context, a recovery.Action) (won bool, err error) {
	e := s.Engine
	e.fault("before:claim")
	if won, err = e.store.Claim(ctx, a, s.By); err != nil || !won {
		return false, situation.Of(err)
	}
	e.fault("after:claim")
	if a.Verb == recovery.Leave {
		return true, nil
	}
	if err = s.Start(ctx, a); err == nil || ctx.Err() != nil {
		return true, nil //nolint:nilerr // we are told to end: what became of the try, the loop's own record tells
	}
	after := a.After
	after.Why = err.Error()
	if errors.Is(err, engine.ErrNotNow) {
		after = s.Tracker.Policy.Later(a, e.now(), err.Error())
	}
	return true, errors.Join(err, situation.Of(e.store.RecoveryFailed(context.WithoutCancel(ctx), a, after, s.By)))
}

// Acts returns the acts due at this moment by the records alone, for a single
// look. A loop that waits counts as one to resume: a process has to wait.
func (s *Supervisor) Acts(ctx context.Context) ([]recovery.Action, error) {
	found, err := s.Engine.store.Unended(ctx)
	if err != nil {
		return nil, situation.Of(err)
	}
	for i := range found {
		found[i].Wake, found[i].Heartbeat = time.Time{}, 0
	}
	m := recovery.Tracker{Policy: s.Tracker.Policy}
	return m.Look(0, s.Engine.now(), found), nil
}

// limitsOver ends the waits of loops whose limit is no longer recorded: those
// are to be resumed now.
func (e *Engine) limitsOver(ctx context.Context, found []recovery.Run) {
	if e.limits == nil {
		return
	}
	for i, l := range found {
		if l.Kind != recovery.Loop || l.Wake.IsZero() || !l.Crashed {
			continue
		}
		record, err := e.loops.Read(ctx, l.ID)
		if err == nil && runner.Serves(ctx, e.limits, e.workerIn(e.store.LoopDir(l.ID)), record.State) {
			found[i].Wake = time.Time{}
		}
	}
}
