package runner

import (
	"context"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// heartbeatEvery is the interval of heartbeats of a step in progress.
const heartbeatEvery = time.Second

// done is the report of the worker's goroutine.
type done struct {
	event loop.Event
	err   error
	// used is the usage that an agent reported before it was cut off.
	used  loop.Usage
	model string
	// lacked is what the step lacked for a while, such as room on a disk.
	lacked error
}

// step lets the worker do one action, and meanwhile serves every request to
// change or end it.
func (r *Runner) step(ctx context.Context, a loop.Action) error {
	inner, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	r.cut = cut
	soft, kill := make(chan struct{}, 1), make(chan struct{})
	hooks := &worker.Hooks{Soft: func() { soft <- struct{}{} }, Kill: kill}
	results := make(chan done, 1)
	before := r.state
	go func() {
		event, err := r.Worker.Do(inner, before, a, hooks)
		used, model := loop.Usage{}, ""
		if a.Do == loop.DoAgent {
			used, model = r.Worker.Priced(before.Agent, hooks.Used(), hooks.Model()), hooks.Model()
		}
		results <- done{event: event, err: err, used: used, model: model}
	}()
	s := &stepping{Runner: r, action: a, since: r.Now(), hooks: hooks, kill: kill, soft: soft}
	if a.LoopSoft > 0 {
		s.loopSoft = time.After(a.LoopSoft)
	}
	if a.SessionSoft > 0 {
		s.sessionSoft = time.After(a.SessionSoft)
	}
	d, err := s.await(ctx, results)
	if err != nil {
		// Whatever went wrong with the record: nothing of ours may run on.
		cut(errReleased)
		s.killNow()
		if s.pace.making != nil {
			<-s.pace.making
		}
		<-results
		return err
	}
	d.lacked = s.lacked
	return r.recordStep(ctx, inner, d)
}

// recordStep records how the step went.
func (r *Runner) recordStep(ctx, inner context.Context, d done) error {
	if d.err == nil {
		if err := r.doubtful(d.event); err != nil {
			return err
		}
		if d.lacked != nil && worker.Unsuccessful(d.event) {
			why := d.lacked.Error() + " for a while"
			return r.Commit(ctx, loop.Interrupted{Stamp: r.stamp(), Why: why, Cause: loop.CauseLack, Usage: d.used, Model: d.model})
		}
		ended, is := d.event.(loop.AgentEnded)
		if is {
			// The trouble is published before it is recorded: after a crash the next
			// owner waits for what is published, and asks once more where nothing is.
			r.publishHealth(ctx, &ended.Outcome)
			d.event = ended
		}
		if err := r.Commit(ctx, journal.WithStamp(d.event, r.stamp())); err != nil {
			return err
		}
		if e, gate := d.event.(loop.GateEnded); is || gate && len(e.Result.Spent) > 0 {
			return r.warnBudgets(ctx)
		}
		return nil
	}
	if inner.Err() == nil {
		return r.failed(ctx, d)
	}
	if r.abort != nil {
		return r.cutOff(ctx, d)
	}
	if err := r.Commit(ctx, loop.Interrupted{Stamp: r.stamp(), Why: context.Cause(inner).Error(), Usage: d.used, Model: d.model}); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// cutOff aborts, and counts what the agent had used until then.
func (r *Runner) cutOff(ctx context.Context, d done) error {
	if r.state.Began {
		if err := r.Commit(ctx, loop.Interrupted{Stamp: r.stamp(), Why: r.abort.why, Usage: d.used, Model: d.model}); err != nil {
			return err
		}
	}
	return r.betweenSteps(ctx)
}

// doubtful returns the reason not to trust an event: failures on a full disk prove nothing
// about the work. An agent may have noticed the disk itself, and ended without a failure.
func (r *Runner) doubtful(e loop.Event) error {
	if _, agent := e.(loop.AgentEnded); agent || worker.Unsuccessful(e) {
		return r.Worker.Lacks(r.state)
	}
	return nil
}

// stepping is a step in progress.
type stepping struct {
	*Runner
	action loop.Action
	since  time.Time
	hooks  *worker.Hooks
	// The soft deadlines of the loop and of the session, and of this step.
	loopSoft, sessionSoft <-chan time.Time
	soft                  chan struct{}

	kill   chan struct{}
	killed bool
	// lacked is the newest error of Lacks at a heartbeat.
	lacked error
}

func (s *stepping) killNow() {
	if !s.killed {
		s.killed = true
		close(s.kill)
	}
}

// await serves requests until the worker is done.
func (s *stepping) await(ctx context.Context, results chan done) (done, error) {
	ticker := time.NewTicker(heartbeatEvery)
	defer ticker.Stop()
	last := time.Now()
	for {
		var err error
		select {
		case d := <-results:
			s.due(ctx, time.Since(last))
			err := s.awaitCheckpoint(ctx)
			if err != nil {
				results <- d // step waits for the worker, which has ended
			}
			return d, err
		case <-s.Lease.Wake():
			err = s.listen(ctx)
		case stop := <-s.Drive.Stops:
			err = s.halt(ctx, stop)
		case <-s.soft:
			err = s.Commit(ctx, loop.SoftPassed{Stamp: s.stamp(), Scope: string(s.state.Step)})
		case <-s.loopSoft:
			s.loopSoft = nil
			err = s.softCheckpoint(ctx, loop.ScopeLoop)
		case <-s.sessionSoft:
			s.sessionSoft = nil
			err = s.softCheckpoint(ctx, loop.ScopeSession)
		case m := <-s.pace.making:
			err = s.checkpointed(ctx, m)
		case <-ticker.C:
			s.heartbeat(ctx)
			s.due(ctx, time.Since(last))
			last = time.Now()
		}
		if err != nil {
			return done{}, err
		}
	}
}

// listen takes the inbox; an abort, or a pause that cannot wait, cuts the step.
func (s *stepping) listen(ctx context.Context) error {
	if err := s.ExecuteInbox(ctx); err != nil {
		return err
	}
	if s.abort != nil {
		s.cut(errCut)
	}
	return nil
}

// halt hears one more wish to stop.
func (s *stepping) halt(ctx context.Context, stop engine.Stop) error {
	err := s.stop(ctx, stop)
	if s.stops >= engine.KillAgent {
		s.killNow()
	}
	return err
}

func (s *stepping) heartbeat(ctx context.Context) {
	if lack := s.Worker.Lacks(s.state); lack != nil {
		s.lacked = lack
	}
	if s.hooks.Worked() {
		s.lift(ctx)
	}
	last, text := s.hooks.Alive()
	s.notify(engine.Update{Before: s.state, After: s.state, Heartbeat: &engine.Heartbeat{
		Action: s.action, Since: s.since, LastOutput: last, Text: text, Used: s.hooks.Used(),
	}})
}

// stop takes a wish to stop: pause after the step, end the step, kill it.
func (r *Runner) stop(ctx context.Context, stop engine.Stop) error {
	r.stops = max(r.stops, stop)
	if !r.state.PauseAsked && r.state.Ending == nil && r.state.Status != loop.Paused {
		if err := r.Commit(ctx, loop.PauseAsked{Stamp: r.stamp(), By: "signal", Why: stop.Why()}); err != nil {
			return err
		}
	}
	if r.stops >= engine.HungUp && r.cut != nil {
		r.cut(errCut)
	}
	return nil
}
