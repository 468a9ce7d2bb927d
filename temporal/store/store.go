package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/temporal/entity"
)

// Options of a Store.
type Options struct {
	// Project names the repository on the server: runs of different projects may have
	// the same id. It is an id like that of a loop.
	Project string
	// Namespace is that of the client.
	Namespace string
	// Owner is how this process is shown to others.
	Owner string
	// Heartbeat is how long an owner may be silent before another process may acquire
	// its runs; 0 is 10 s, as for a worker (internal/cli/worker).
	Heartbeat time.Duration
	// Look is how often a lease looks for messages and for another owner; 0 is 1 s.
	Look time.Duration
	// Key is the one that the client encrypts with; nil is none.
	Key *Key
}

// Store keeps the runs of one kind of a project.
type Store[S any, E journal.Event] struct {
	kind   Kind[S, E]
	client client.Client
	o      Options
	// token names this process; queue is polled by it alone.
	token, queue string
	workers      []worker.Worker

	mu   sync.Mutex
	held map[string]*Lease[S, E] // by the token of its owner
	// over are the loops that a list found to have ended.
	over map[string]bool
	// reads are the runs that were read last, readBytes what they take.
	reads     map[string]readRun
	readBytes int
	older     older

	// smallPages: the server did not deliver a large one.
	smallPages atomic.Bool
}

// Quiet is a logger for clients that discards everything.
func Quiet() log.Logger {
	return log.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))
}

// stickyFor is how long the server waits for the process that worked on an entity last;
// after it any other one does, which replays the whole history. Where that happens because
// a machine is busy, the replays keep it busy: with a second, a plan of 50 tasks on four
// workers was replayed 520 times and did not end. A process that is gone costs this time once.
const stickyFor = 5 * time.Second

// program names this program in histories. Without a name each command would read its whole
// file for a hash of it, 117 MB.
func program() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "ralph " + info.Main.Version
	}
	return "ralph"
}

// Open returns the runs of one kind, and serves the entities of all until Close. The
// caller closes the client after it.
func Open[S any, E journal.Event](c client.Client, kind Kind[S, E], o Options) (*Store[S, E], error) {
	s, err := open(c, kind, o)
	if err != nil {
		return nil, err
	}
	entities := worker.New(c, o.Key.queue(), worker.Options{
		LocalActivityWorkerOnly: true, StickyScheduleToStartTimeout: stickyFor,
	})
	entities.RegisterWorkflowWithOptions(entity.Workflow, workflow.RegisterOptions{Name: entity.WorkflowName})
	entities.RegisterWorkflowWithOptions(entity.Admissions, workflow.RegisterOptions{Name: entity.AdmissionName})
	entities.RegisterWorkflowWithOptions(entity.Shelves, workflow.RegisterOptions{Name: entity.ShelfName})
	return s, s.start(entities)
}

// open is Open in a process that serves the entities already: two workers of a process would
// take them from each other, and replay them each time.
func open[S any, E journal.Event](c client.Client, kind Kind[S, E], o Options) (*Store[S, E], error) {
	if err := loop.ValidID(o.Project); err != nil {
		return nil, fmt.Errorf("project: %w", err)
	}
	o.Heartbeat, o.Look = cmp.Or(o.Heartbeat, 10*time.Second), cmp.Or(o.Look, time.Second)
	s := &Store[S, E]{kind: kind, client: c, o: o, token: newToken(), held: map[string]*Lease[S, E]{}, over: map[string]bool{}, reads: map[string]readRun{}}
	s.queue = entity.Queue + "-owner-" + s.token

	worker.SetBinaryChecksum(program())
	holds := worker.New(c, s.queue, worker.Options{
		DisableWorkflowWorker: true, MaxHeartbeatThrottleInterval: o.Heartbeat / 5,
		DefaultHeartbeatThrottleInterval: o.Heartbeat / 5,
	})
	holds.RegisterActivityWithOptions(s.hold, activity.RegisterOptions{Name: entity.HoldName})
	return s, s.start(holds)
}

// start starts a worker, which Close stops. Where that fails the store is closed.
func (s *Store[S, E]) start(w worker.Worker) error {
	if err := w.Start(); err != nil {
		s.Close()
		return fmt.Errorf("serve the runs on the Temporal server: %w", err)
	}
	s.workers = append(s.workers, w)
	return nil
}

// Close stops the workers. Leases that were not released count as those of a dead
// owner once the heartbeat timeout is over.
func (s *Store[S, E]) Close() {
	s.mu.Lock()
	held := slices.Collect(maps.Values(s.held))
	s.mu.Unlock()
	for _, l := range held {
		l.end()
		l.looks.Wait()
	}
	for _, w := range s.workers {
		w.Stop()
	}
}

func newToken() string {
	b := make([]byte, 12)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// workflowID is the name of a run's entity on the server.
func (s *Store[S, E]) workflowID(id string) string { return s.prefix(s.kind.name) + id }

func (s *Store[S, E]) prefix(kind string) string { return "ralph/" + s.o.Project + "/" + kind + "/" }

func (s *Store[S, E]) owner() entity.Owner {
	host, _ := os.Hostname()
	return entity.Owner{
		Token: newToken(), Name: cmp.Or(s.o.Owner, fmt.Sprintf("process %d on %s", os.Getpid(), host)), Process: s.token,
		Queue: s.queue, Heartbeat: s.o.Heartbeat,
	}
}

// Create records a new run and acquires it.
func (s *Store[S, E]) Create(ctx context.Context, first S, spec []byte) (*Lease[S, E], error) {
	id := s.kind.id(first)
	if err := loop.ValidID(id); err != nil {
		return nil, err
	}
	state, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(entity.Commit{State: state}.Fits(), entity.Acquire{Spec: spec}.Fits()); err != nil {
		return nil, fmt.Errorf("create %s %s: %w", s.kind.name, id, err)
	}
	run := entity.Run{ID: id, Epoch: 1, State: state, Spec: spec, Owner: s.owner(), Live: true, Ended: s.kind.ended(first)}
	l := s.lease(id, run.Owner)
	_, err = s.client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: s.workflowID(id), TaskQueue: s.o.Key.queue(),
		WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
	}, entity.WorkflowName, run)
	if err != nil {
		l.end()
		if temporal.IsWorkflowExecutionAlreadyStartedError(err) {
			err = engine.ErrExists
		}
		return nil, fmt.Errorf("create %s %s: %w", s.kind.name, id, silent(err))
	}
	l.begin(1, 0, 0, first)
	return l, nil
}

// Acquire returns the lease of a run; an archived plan is listed again.
func (s *Store[S, E]) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (*Lease[S, E], error) {
	ask := entity.Acquire{Owner: s.owner(), TakeOver: takeOver, Spec: spec}
	if err := ask.Fits(); err != nil {
		return nil, s.situation(id, entity.AcquireUpdate, err)
	}
	l := s.lease(id, ask.Owner)
	var got entity.Acquired
	err := s.acquireAgain(ctx, id, ask, &got)
	if err != nil {
		l.end()
		return nil, err
	}
	state, newer, err := decode[S](got.State)
	if err == nil && newer == "" {
		l.begin(got.Epoch, got.Seq, got.Sent, state)
		return l, nil
	}
	if err != nil {
		err = fmt.Errorf("%w: the state of %s cannot be read: %w", engine.ErrDamaged, id, err)
	} else {
		err = fmt.Errorf("acquire %s %s: %w (%s)", s.kind.name, id, engine.ErrNewer, newer)
	}
	l.epoch = got.Epoch
	return nil, errors.Join(err, l.Release(ctx))
}

// hold is the activity that shows the server that a lease has a living owner.
func (s *Store[S, E]) hold(ctx context.Context, h entity.Hold) error {
	s.mu.Lock()
	l := s.held[h.Token]
	s.mu.Unlock()
	if l == nil {
		return fmt.Errorf("%s is not held here", h.Run)
	}
	beat := time.NewTicker(s.o.Heartbeat / 6)
	defer beat.Stop()
	for {
		activity.RecordHeartbeat(ctx, entity.Beat{Awaits: l.awaits.Load().(string)})
		select {
		case <-beat.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-l.ended.Done():
			return nil
		}
	}
}
