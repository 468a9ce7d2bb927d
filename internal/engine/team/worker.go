package team

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// Worker drives loops and plans of a server that no process has. A plan takes no slot: its
// tasks' loops do, in whichever worker drives them.
type Worker struct {
	Loops  engine.Loops
	Server engine.SharedLoops
	// Usable reports whether this machine has, or can get, what a loop needs.
	Usable func(context.Context, loop.State) error
	Plans  PlanWork
	// Slots is how many loops it drives at once; Labels are those of its machine.
	Slots  int
	Labels []string
	// Most is how many loops of the repository run at once on all workers, which agree on
	// the number; 0 is no bound. Places has the loops that run. Roster tells which labels
	// there are.
	Most   int
	Places engine.Places
	Roster engine.Roster
	// Say reports what it takes, and what came of it.
	Say func(format string, args ...any)

	mu          sync.Mutex
	busy, plans map[string]bool
	// driven are the plans that are driven now, with those in tasks' places.
	driven map[string]int
	jobs   sync.WaitGroup
	// later is when a run that could not be driven is tried again. left has those
	// that were reported to be left to other workers.
	later map[string]time.Time
	left  map[string]bool
}

// newer reports once a run that a newer version wrote: a worker of that version takes it.
func (w *Worker) newer(id, what string) bool {
	if what == "" {
		return false
	}
	w.leaveAlone(id, fmt.Errorf("%w (%s)", engine.ErrNewer, what))
	return true
}

// leaveAlone reports once why a run is left alone.
func (w *Worker) leaveAlone(id string, why error) {
	w.mu.Lock()
	said := w.left[id]
	w.left[id] = true
	w.mu.Unlock()
	if !said {
		w.Say("%s: left alone: %v", id, why)
	}
}

// lookEvery is how often a worker looks for runs. restAfter is how long it leaves one
// alone that it could not drive, and farAfter one of another repository.
const (
	lookEvery = time.Second
	restAfter = 10 * time.Second
	farAfter  = time.Minute
)

// Run takes loops and plans until ctx ends. Those that it drives are then left as they
// are, at once: their agents are ended, and another worker continues.
func (w *Worker) Run(ctx context.Context) {
	w.begin()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	defer w.jobs.Wait()
	for {
		if err := errors.Join(w.lookAtPlans(ctx), w.look(ctx)); err != nil && ctx.Err() == nil {
			w.Say("look for loops: %v", err)
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// begin forgets the runs of an earlier call.
func (w *Worker) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy, w.plans, w.later, w.left = map[string]bool{}, map[string]bool{}, map[string]time.Time{}, map[string]bool{}
	w.driven = map[string]int{}
}

func (w *Worker) look(ctx context.Context) error {
	if w.free() == 0 {
		return nil
	}
	all, err := w.Server.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return err
	}
	if all, err = w.admitted(ctx, all); err != nil {
		return err
	}
	for i := len(all) - 1; i >= 0 && w.free() > 0; i-- { // the oldest first
		r, wanted, err := now(ctx, all[i], all[i].State.ID, w.wanted, w.Server.Read)
		if err != nil {
			return err
		}
		if wanted {
			w.take(ctx, r.State)
		}
	}
	return nil
}

// now asks for a run that is wanted as a list has it, and whether it still is: a list is a moment
// old, and all workers want the same runs of it.
func now[S any](ctx context.Context, r engine.Stored[S], id string, wanted func(context.Context, engine.Stored[S]) (bool, error), read func(context.Context, string) (engine.Stored[S], error)) (engine.Stored[S], bool, error) {
	if is, err := wanted(ctx, r); !is || err != nil {
		return r, false, err
	}
	r, err := read(ctx, id)
	if errors.Is(err, engine.ErrNotFound) {
		return r, false, nil
	}
	if err != nil || r.Archived {
		return r, false, err
	}
	is, err := wanted(ctx, r)
	return r, is, err
}

// Load is how many loops and plans it drives now, with the plans in tasks' places.
func (w *Worker) Load() (loops, plans int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.busy), w.drivenPlans()
}

func (w *Worker) free() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Slots - len(w.busy)
}

// wanted reports whether a loop has something to do and no process that does it.
func (w *Worker) wanted(ctx context.Context, r engine.Stored[loop.State]) (bool, error) {
	w.mu.Lock()
	busy := w.busy[r.State.ID] || time.Now().Before(w.later[r.State.ID])
	w.mu.Unlock()
	if busy || r.Live || r.State.Status.Terminal() || !engine.Offers(w.Labels, r.State.RunsOn) || w.newer(r.State.ID, r.Newer) {
		return false, nil
	}
	if Active(r.State) {
		return true, nil
	}
	return w.Server.Unread(ctx, r.State.ID)
}

func (w *Worker) take(ctx context.Context, s loop.State) {
	w.start(w.busy, s.ID, func() time.Duration {
		return w.drive(ctx, s.ID, func() error { return w.Usable(ctx, s) }, func(d engine.Drive) (loop.Status, error) {
			s, err := w.Loops.Resume(ctx, s.ID, engine.Options{Recovery: true, Max: w.Most}, d)
			return s.Status, err
		})
	})
}

// start drives a run beside the others. Drive returns how long to leave it alone then.
func (w *Worker) start(busy map[string]bool, id string, drive func() time.Duration) {
	w.mu.Lock()
	busy[id] = true
	w.mu.Unlock()
	w.jobs.Go(func() {
		rest := drive()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(busy, id)
		w.later[id] = time.Now().Add(rest)
	})
}

// drive drives one run until it rests, and returns how long to leave it alone then.
func (w *Worker) drive(ctx context.Context, id string, usable func() error, resume func(engine.Drive) (loop.Status, error)) time.Duration {
	if err := usable(); err != nil {
		return w.unusable(ctx, id, err)
	}
	var taken sync.Once
	status, err := resume(engine.Drive{Place: loop.Background, Watch: func(engine.Update) {
		taken.Do(func() { w.Say("%s: taken", id) }) // a transition was recorded: the lease is this worker's
	}})
	switch {
	case errors.Is(err, engine.ErrNoPlace):
		w.Say("%s: waits: %v", id, engine.ErrNoPlace)
		return restAfter
	case errors.Is(err, engine.ErrRunning), errors.Is(err, engine.ErrEnded):
		w.Say("%s: another worker has it", id)
		return 0
	case ctx.Err() != nil:
		w.Say("%s: left for another worker", id)
		return 0
	case err != nil:
		w.Say("%s: %v", id, err)
		return restAfter
	}
	w.Say("%s: %s", id, status)
	return 0
}

// unusable reports a run that is left to others: one of another repository once.
func (w *Worker) unusable(ctx context.Context, id string, err error) time.Duration {
	if !errors.Is(err, ErrNotAtRemote) {
		if ctx.Err() == nil {
			w.Say("%s: %v", id, err)
		}
		return restAfter
	}
	w.leaveAlone(id, err)
	return farAfter
}
