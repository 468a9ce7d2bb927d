package entity

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Workflow keeps one run until it is archived. Input of the first execution is a run
// that its creator has acquired.
func Workflow(ctx workflow.Context, run Run) (Run, error) {
	e := &entity{Run: run, shows: workflow.GetVersion(ctx, showsRun, workflow.DefaultVersion, 1) >= 1}
	if e.Created.IsZero() {
		e.Created = workflow.Now(ctx)
		e.Updated = e.Created
	}
	if err := e.serve(ctx); err != nil {
		return e.Run, err
	}
	if e.Live {
		e.hold(ctx)
	}
	full := func() bool { return workflow.GetInfo(ctx).GetContinueAsNewSuggested() }
	if err := workflow.Await(ctx, func() bool { return e.Archived || full() }); err != nil {
		return e.Run, err
	}
	e.drop()
	if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return e.Run, err
	}
	if e.Archived {
		return e.Run, nil
	}
	return e.Run, workflow.NewContinueAsNewError(ctx, WorkflowName, e.Run)
}

// entity is a run with the activity that holds it.
type entity struct {
	Run
	// cancel ends the present hold; held is its number.
	cancel workflow.CancelFunc
	held   int
	// shows is set in executions that began with a version that shows the run in its memo.
	shows bool
}

// showsRun is the name of that change in histories.
const showsRun = "show the run in its memo"

// live records whether the run has a living owner, and shows that to lists. Most commits
// change nothing of it, so that a list costs them no event.
func (e *entity) live(ctx workflow.Context, is bool) {
	e.Live = is
	if e.shows {
		// A memo that cannot be encoded stays as it was; it has no such field.
		_ = workflow.UpsertMemo(ctx, map[string]any{Memo: Shown{Epoch: e.Epoch, Seq: e.Seq, Live: is, Ended: e.Ended}})
	}
}

// serve registers the updates and queries. Handlers do not block, so each runs as a
// whole.
func (e *entity) serve(ctx workflow.Context) error {
	for _, err := range []error{
		handle(ctx, AcquireUpdate, e.mayAcquire, e.onAcquire),
		handle(ctx, CommitUpdate, e.mayCommit, e.onCommit),
		handle(ctx, ReleaseUpdate, func(r Release) error { return e.mayWrite(r.Epoch) }, e.onRelease),
		handle(ctx, SendUpdate, e.maySend, func(ctx workflow.Context, m Message) (int64, error) {
			return e.send(m, workflow.Now(ctx)), nil
		}),
		handle(ctx, ArchiveUpdate, e.mayArchive, func(workflow.Context, Release) (bool, error) {
			e.Archived = true
			return true, nil
		}),
		workflow.SetQueryHandler(ctx, ReadQuery, func() (Run, error) { return e.Run, nil }),
		workflow.SetQueryHandler(ctx, GlanceQuery, func() (Glance, error) { return Glance{e.Epoch, e.Sent, e.Live}, nil }),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func handle[In, Out any](ctx workflow.Context, name string, may func(In) error, do func(workflow.Context, In) (Out, error)) error {
	return workflow.SetUpdateHandlerWithOptions(ctx, name, do, workflow.UpdateHandlerOptions{Validator: may})
}

// onAcquire gives the run to an owner. The present owner asks again when its heartbeats
// were lost.
func (e *entity) onAcquire(ctx workflow.Context, a Acquire) (Acquired, error) {
	if e.acquire(a, workflow.Now(ctx)) || !e.Live {
		e.live(ctx, true)
		e.hold(ctx)
	}
	return e.acquired(), nil
}

// onCommit records a transition. An owner whose heartbeats were lost lives after all.
func (e *entity) onCommit(ctx workflow.Context, c Commit) (int64, error) {
	e.commit(c, workflow.Now(ctx))
	if !e.Live {
		e.live(ctx, true)
		e.hold(ctx)
	}
	return e.Seq, nil
}

func (e *entity) onRelease(ctx workflow.Context, _ Release) (bool, error) {
	e.release()
	e.live(ctx, false)
	e.drop()
	return true, nil
}

// mayArchive refuses to archive a run with a living owner, or one whose state changed
// after its caller looked at it.
func (e *entity) mayArchive(r Release) error {
	switch {
	case e.Live:
		return refuse(Held, "%s is run by %s", e.ID, e.Owner.Name)
	case r.Epoch != e.Epoch:
		return refuse(Fenced, "%s was acquired meanwhile", e.ID)
	}
	return nil
}

// heldFor is longer than any process owns a run.
const heldFor = 365 * 24 * time.Hour

// hold starts the activity that shows that the owner lives. When it ends by itself,
// the run has no living owner.
func (e *entity) hold(ctx workflow.Context) {
	e.drop()
	e.held++
	number := e.held
	held, cancel := workflow.WithCancel(ctx)
	e.cancel = cancel
	held = workflow.WithActivityOptions(held, workflow.ActivityOptions{
		TaskQueue:              e.Owner.Queue,
		ScheduleToStartTimeout: e.Owner.Heartbeat,
		StartToCloseTimeout:    heldFor,
		HeartbeatTimeout:       e.Owner.Heartbeat,
		RetryPolicy:            &temporal.RetryPolicy{MaximumAttempts: 1},
		DisableEagerExecution:  true,
	})
	over := workflow.ExecuteActivity(held, HoldName, Hold{Run: e.ID, Token: e.Owner.Token})
	workflow.Go(held, func(ctx workflow.Context) {
		_ = over.Get(ctx, nil)
		if e.held == number {
			e.live(ctx, false)
		}
	})
}

// drop ends the present hold, if any. Its end then says nothing about the owner.
func (e *entity) drop() {
	if e.cancel != nil {
		e.cancel()
	}
	e.cancel = nil
	e.held++
}
