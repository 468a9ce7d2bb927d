// Package worker does single actions of loops through the adapters (git, proc, gate,
// agent, review) and returns what happened as an event; it decides nothing. Each kind
// of action has a file: prepare, agent, commit, gates, prove, review, keep; accept and check
// serve the verbs of the same names, recover cleans up after a crash.
//
// The worker of a team (team.Worker) is something else: a process that drives loops, and
// makes a Worker of this package for each.
package worker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ralph/internal/agent"
	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/kept"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/proc"
	"ralph/internal/proof/judge"
)

// Worker performs single actions through the adapters and reports the result.
// It keeps nothing between two of them but caches, and notes for the next result: all
// that it needs stands in the state, in the repository and in the loop's directory, so any process can be
// the worker of the next action.
type Worker struct {
	Repo  *git.Repo
	Trees Trees
	// Owned returns an error when the loop is no longer this worker's. It is called
	// before each action, since the machine may have slept.
	Owned   func(context.Context) error
	Drivers map[string]agent.Driver
	Files   engine.Layout
	// Remote is the address that relative ones of submodules are read against; empty: that of
	// the remote "origin".
	Remote string
	// TreeRoot is the directory of the worktrees, outside the repository.
	TreeRoot string
	// Recall finds what earlier loops taught about a query, the best first; nil
	// where nothing is learned.
	Recall func(context.Context, learn.Query) ([]learn.Known, error)
	// StateFile is the view that agents may read (RALPH_STATE_FILE).
	StateFile string
	// Template replaces the built-in prompt where a project has its own. It is
	// frozen in the loop's directory when the loop is prepared.
	Template string
	Env      Environment
	// Prices estimate what runs cost whose agents do not report it.
	Prices money.Prices
	// Session is the budget of this process.
	Session money.Session
	// Confine is how agents, gates and set-up commands are sandboxed.
	Confine Confine
	// Accounts of reviewers: those of loops' agents are asked about by their runner.
	Accounts Accounts
	// WorthChoosing is how long a gate must take for its new tests to be run alone where that
	// can prove the work; 0 is three seconds.
	WorthChoosing time.Duration
	// Grace between asking a process to end and insisting.
	Grace time.Duration
	// Now is the clock.
	Now func() time.Time

	filtered bool
	// blobs are contents that were read, by their ids.
	blobs     map[string][]byte
	blobBytes int
	listed    []listing
	// duties are what gates do by their commands on a commit: see dutiesOf.
	duties map[[4]string]judge.Duties
	// notes are recorded with the next commit; a crash before it loses them.
	notes []string
	// searched are the commits that were searched for secrets.
	searched searched
	// slot is the loop's number on the machine, once an action has asked for it.
	slot int
}

// Do performs an action of a supervised loop; Verify performs those of an agent-driven
// one. An error means that ralph itself could not do it, or that ctx was cancelled; how
// agents and gates fared stands in the event.
func (w *Worker) Do(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	if err := w.Owned(ctx); err != nil {
		return nil, err
	}
	if err := w.present(); err != nil {
		return nil, err
	}
	if err := w.FreezeFilters(ctx); err != nil {
		return nil, err
	}
	if err := w.takeSlot(ctx); err != nil {
		return nil, err
	}
	notes, err := w.importWork(ctx, s)
	if err != nil {
		return nil, err
	}
	w.notes = append(w.notes, notes...)
	if a.Do == loop.DoCommit {
		if err := w.hasWork(ctx, s); err != nil {
			return nil, err
		}
	}
	again, err := w.ensureTree(ctx, s, a, h)
	if err != nil {
		return nil, err
	}
	switch a.Do {
	case loop.DoPrepare:
		return w.prepare(ctx, s, a, h)
	case loop.DoAgent:
		return w.agent(ctx, s, a, h)
	case loop.DoCommit:
		return w.commit(ctx, s, again)
	case loop.DoGate:
		return w.gate(ctx, s, a, h)
	case loop.DoReview:
		return w.review(ctx, s, a, h)
	case loop.DoProve:
		return w.prove(ctx, s, a, h)
	case loop.DoKeep:
		return w.keep(ctx, s)
	case loop.DoTidy:
		return w.tidy(ctx, s, h)
	}
	return nil, fmt.Errorf("action %q is not one of a supervised loop", a.Do)
}

// Busy reports whether a later try may succeed: another git holds a lock that the
// user's repository and ours share.
func Busy(err error) bool {
	_, locked := errors.AsType[git.ErrLocked](err)
	return locked
}

// Interruption returns why an error is no result of a step: loop.CauseSignal or
// loop.CauseLack; loop.CauseItself for any other error.
func Interruption(err error) loop.Cause { return proc.CauseOf(err) }

// token names one process of one loop uniquely.
func token(id string) string {
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	return id + "-" + hex.EncodeToString(b)
}

// FreezeFilters makes the worker's git calls run the content filters (LFS, git-crypt)
// that were defined when the loop started, whatever the configuration, which an
// agent can write, says later. Where the record of them is gone, or is in a damaged archive,
// they are those of now: accept names that evidence then, and asks.
func (w *Worker) FreezeFilters(ctx context.Context) error {
	if w.filtered {
		return nil
	}
	path := filepath.Join(w.Files.Dir, "filters.json")
	data, err := kept.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, kept.ErrDamaged) {
		data, err = w.captureFilters(ctx, path)
	}
	var f git.Filters
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err == nil { // a program may be gone since the loop began
		err = w.Repo.CheckFilters(ctx, f)
	}
	if err != nil {
		return fmt.Errorf("freeze the content filters: %w", err)
	}
	w.Repo, w.filtered = w.Repo.WithFilters(f), true
	return nil
}

func (w *Worker) captureFilters(ctx context.Context, path string) ([]byte, error) {
	f, err := w.Repo.CaptureFilters(ctx)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return data, durable.Write(path, data)
}
