package web

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/view"
)

// ErrNotFound is returned for a repository, loop or plan that is not there.
var ErrNotFound = errors.New("not found")

// Source is what the pages show, and what takes a person's decisions.
type Source interface {
	// Repositories are those of this machine in which ralph has run, in a fixed order.
	Repositories(ctx context.Context) ([]Repository, error)
	// Agents is the health of the agents' accounts, which all repositories share.
	Agents(ctx context.Context) ([]view.Account, error)
}

// Repository is one repository of the machine.
type Repository interface {
	// Key is one element of a path, made of letters, digits, "-", "_" and ".".
	Key() string
	Title() string
	Root() string
	// Mark changes whenever something that the pages show may have changed.
	Mark(ctx context.Context) (string, error)

	// Runs are those that have not ended, and the newest that have.
	Runs(ctx context.Context) ([]view.Run, error)
	// Ended are the newest runs that have ended, archived ones too, at most so many, and
	// how many there are.
	Ended(ctx context.Context, most int) (runs []view.Run, total int, err error)
	Loop(ctx context.Context, id string) (Loop, error)
	Plan(ctx context.Context, id string) (Plan, error)
	// Events are a page of the lines of a run's journal after a sequence number.
	Events(ctx context.Context, id string, after int64) ([]Line, error)
	// Diff is the patch of a run's work; cut reports that there is more of it.
	Diff(ctx context.Context, id string) (patch []byte, cut bool, err error)
	// Summary is the report of the newest runs.
	Summary(ctx context.Context) (view.Summary, error)
	Settings(ctx context.Context) ([]view.Setting, error)
	// Agents are the names of those that a run can be started with.
	Agents(ctx context.Context) ([]string, error)
	// Trust reports in words whether what the repository asks to run is allowed on this machine.
	Trust(ctx context.Context) (string, error)

	// Reply answers one open question; a *StaleError is returned for one that has been answered.
	Reply(ctx context.Context, r Reply) (string, error)
	// Command runs a command of ralph in the repository, without a user to ask.
	Command(ctx context.Context, args ...string) Result
}

// Loop is a loop with its files.
type Loop struct {
	view.Loop
	Files engine.Layout
	// Seq is the number of its newest event.
	Seq int64
}

// Plan is a plan with the number of its newest event.
type Plan struct {
	view.Plan
	Seq int64
}

// Line is an event of a journal in words, with its time. A head begins a group of them: an
// attempt of a loop.
type Line struct {
	Seq  int64
	Text string
	Head bool
}

// Reply is an answer to one question of one run.
type Reply struct{ Run, Question, Answer string }

// StaleError is returned for a decision about what has been decided already; its text tells
// what happened meanwhile.
type StaleError struct{ Happened string }

func (e *StaleError) Error() string { return e.Happened }

// Result is the outcome of a command of ralph: what it printed, and its exit code.
type Result struct {
	Output string
	Code   int
}
