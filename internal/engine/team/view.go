package team

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// seen is what the server reported about a loop, besides its record.
type seen struct {
	// live: a worker has it; active: one is to drive it.
	live, active bool

	owner string
	// awaits is what its worker waits for.
	awaits string
	// listed: its record was not read, since the list of the server has it as its copy is.
	listed bool
}

func seenIn(r engine.Stored[loop.State]) seen {
	return seen{live: r.Live, active: Active(r.State), owner: r.Owner, awaits: r.Awaits}
}

// Refresh brings the copies of all loops up to date.
func (e *Engine) Refresh(ctx context.Context) error {
	known, err := e.known(ctx)
	if err != nil {
		return err
	}
	all, err := e.Shared.Server.Unknown(ctx, known)
	if err != nil {
		return err
	}
	waiting, err := e.waiting(ctx)
	if err != nil {
		return err
	}
	now := map[string]seen{}
	for _, r := range all {
		now[r.State.ID] = seenIn(r)
		err := e.Shared.Refresh(ctx, r)
		if errors.Is(err, engine.ErrNewer) { // it hides no other loop
			e.behind(r.State.ID, err)
		} else if err != nil {
			return err
		}
	}
	for _, r := range waiting { // those that the server has as they are here
		if _, read := now[r.State.ID]; !read {
			now[r.State.ID] = seen{active: true, listed: true}
			all = append(all, r)
		}
	}
	workers := whereLabelled(ctx, e.Roster, all)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen, e.workers = now, workers
	return nil
}

// waiting are the loops that a worker is to drive, by their copies.
func (e *Engine) waiting(ctx context.Context) ([]engine.Stored[loop.State], error) {
	all, err := e.Shared.List(ctx, engine.Filter{Active: true})
	return slices.DeleteFunc(all, func(r engine.Stored[loop.State]) bool { return !Active(r.State) }), err
}

// copies are the loops by their copies on this machine, and those whose copies were deleted.
type copies struct {
	of      map[string]engine.Mark
	cleaned []string
}

// Archived reports whether the copy of a loop is archived, or was deleted.
func (c *copies) Archived(id string) bool {
	return c.of[id].Archived || slices.Contains(c.cleaned, id)
}

// At reports whether the copy of a loop has the events up to one of the server. It has one of its
// own before them.
func (c *copies) At(id string, seq int64) bool {
	m, ok := c.of[id]
	return ok && !m.Archived && m.Seq == seq+1
}

func (e *Engine) known(ctx context.Context) (*copies, error) {
	cleaned, err := e.cleaned()
	if err != nil {
		return nil, err
	}
	all, err := e.Engine.Marks(ctx, engine.Filter{Archived: true})
	c := &copies{make(map[string]engine.Mark, len(all)), cleaned}
	for _, m := range all {
		c.of[m.ID] = m
	}
	return c, err
}

// behind tells once that the copy of a loop stays as it is.
func (e *Engine) behind(id string, why error) { e.once(id, "! %s is shown as it was: %v", id, why) }

// once tells the user about a thing that lasts.
func (e *Engine) once(what, format string, args ...any) {
	e.mu.Lock()
	told := e.told[what]
	if e.told == nil {
		e.told = map[string]bool{}
	}
	e.told[what] = true
	e.mu.Unlock()
	if !told {
		e.Say(format, args...)
	}
}

// whereLabelled are the workers, where a loop waits for one with labels; nil is not known.
// Without an answer all loops seem to wait for a worker that is only busy.
func whereLabelled(ctx context.Context, roster engine.Roster, all []engine.Stored[loop.State]) []engine.WorkerProcess {
	waits := func(r engine.Stored[loop.State]) bool { return !r.Live && len(r.State.RunsOn) > 0 && Active(r.State) }
	if roster == nil || !slices.ContainsFunc(all, waits) {
		return nil
	}
	workers, err := roster.Workers(ctx)
	if err != nil {
		return nil
	}
	return append([]engine.WorkerProcess{}, workers...)
}

// waitsFor tells which worker a loop waits for.
func waitsFor(s loop.State, workers []engine.WorkerProcess, now time.Time) string {
	if len(s.RunsOn) == 0 {
		return "no worker yet"
	}
	all := strings.Join(s.RunsOn, ", ")
	if workers == nil {
		return "no worker yet; it runs on " + all
	}
	workers = slices.DeleteFunc(slices.Clone(workers), func(w engine.WorkerProcess) bool { return now.Sub(w.Seen) > engine.Silent })
	if slices.ContainsFunc(workers, func(w engine.WorkerProcess) bool { return engine.Offers(w.Labels, s.RunsOn) }) {
		return "no worker yet; it runs on " + all
	}
	var none []string
	for _, l := range s.RunsOn {
		if !slices.ContainsFunc(workers, func(w engine.WorkerProcess) bool { return slices.Contains(w.Labels, l) }) {
			none = append(none, l)
		}
	}
	if len(none) == 0 {
		return "no worker has all of its labels: " + all
	}
	return "no worker has the label " + strings.Join(none, ", ")
}

// refresh brings the copy of one loop up to date. The list of a server names a new loop
// a moment late.
func (e *Engine) refresh(ctx context.Context, id string) (engine.Stored[loop.State], error) {
	r, err := e.Shared.Server.Read(ctx, id)
	if err != nil {
		return r, err
	}
	// A copy that is fenced was acquired meanwhile by the owner of the loop.
	if err := e.Shared.Refresh(ctx, r); err != nil && !errors.Is(err, engine.ErrFenced) {
		return r, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen = map[string]seen{}
	}
	e.seen[id] = seenIn(r)
	return r, nil
}

// refreshEvery is how often a command that follows loops asks the server.
const refreshEvery = time.Second

// Follow refreshes until ctx ends. What fails is made up for by the next look.
func (e *Engine) Follow(ctx context.Context) {
	every := time.NewTicker(refreshEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			_ = e.Refresh(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Active reports whether a worker is to drive a loop in this state.
func Active(s loop.State) bool {
	return s.Status == loop.Pending || !s.Status.Terminal() && s.Status != loop.Paused && loop.Next(s).Do != loop.DoNothing
}

// as corrects what the copy of a loop cannot know: whether a worker has it.
func (e *Engine) as(l engine.Loop) engine.Loop {
	e.mu.Lock()
	at, workers := e.seen[l.State.ID], e.workers
	e.mu.Unlock()
	l.Crashed, l.Live, l.Owner, l.Process, l.Awaits = false, at.live || Active(l.State), at.owner, at.owner, at.awaits
	if l.State.FailureRef != "" && !e.OfPlans { // a branch of its worker; the remote has the loop's
		l.State.FailureRef, l.Kept = l.State.Branch, keptRef(l.State.ID)
	}
	if !at.live {
		l.Process = ""
		if l.Live {
			l.Owner = waitsFor(l.State, workers, e.Now())
			l.Awaits = l.Owner
		}
	}
	return l
}

// lateFor bounds the wait for what a person did a moment ago about a loop that has ended.
const lateFor = 2 * time.Second

// latest brings the copy of one loop up to date, where the last refresh did not read it: the
// server's list is a moment late, also about what was done since the loop ended.
func (e *Engine) latest(ctx context.Context, id string) error {
	if e.OfPlans {
		_, err := e.refresh(ctx, id)
		return err
	}
	e.mu.Lock()
	at, read := e.seen[id]
	e.mu.Unlock()
	if !read || at.listed {
		ctx, cancel := context.WithTimeout(ctx, lateFor)
		defer cancel()
		_, _ = e.refresh(ctx, id) // else the copy is shown, as the list of the server had it
	}
	return nil
}

// Show is everything about one loop, with its files and commits.
func (e *Engine) Show(ctx context.Context, id string) (engine.Loop, error) {
	if err := e.latest(ctx, id); err != nil {
		return engine.Loop{}, err
	}
	if err := e.Travel.Files.Get(ctx, Run{ID: id}, e.Dir(id)); err != nil {
		e.once(id+" files", "! %v", err) // those that are here are shown
	}
	l, err := e.Engine.Show(ctx, id)
	if err == nil && l.State.Commit != "" {
		_ = e.Travel.FetchWork(ctx, l.State) // what shows or merges it reports that it is missing
	}
	if err == nil && l.State.Status.Terminal() && l.State.FailureRef != "" && !e.OfPlans {
		_ = e.Travel.fetchKept(ctx, l.State) // as above
	}
	return e.as(l), err
}

// List returns the loops, the newest first.
func (e *Engine) List(ctx context.Context, f engine.Filter) ([]engine.Loop, error) {
	all, err := e.Engine.List(ctx, f)
	for i := range all {
		all[i] = e.as(all[i])
	}
	return all, err
}

// Marks are the same loops without their states. Those that wait for a worker, or whose worker
// waits, are unsteady: that changes without an event.
func (e *Engine) Marks(ctx context.Context, f engine.Filter) ([]engine.Mark, error) {
	all, err := e.Engine.Marks(ctx, f)
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range all {
		at := e.seen[all[i].ID]
		all[i].Crashed, all[i].Live, all[i].Unsteady = false, at.live || at.active, at.active && !at.live || at.awaits != ""
	}
	return all, err
}
