package runs

import (
	"context"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// Run is a loop or a plan: the one handle that commands are written against. It
// reports the run as it was when it was read; Load reads it again. Commands that
// are about one kind only switch on *Loop and *Plan.
type Run interface {
	// Kind is "loop" or "plan", for messages.
	Kind() string
	Outcome() engine.Outcome
	// StatusText is the status in one word or two.
	StatusText() string
	// Live reports whether a process drives the run.
	Live() bool
	// Seq is the number of the newest event.
	Seq() int64

	Load(ctx context.Context) error
	Send(ctx context.Context, c engine.Command) error
	Resume(ctx context.Context, o engine.Options, d engine.Drive) (engine.Outcome, error)
	Events(ctx context.Context, after int64) ([]engine.Event, error)
	Accept(ctx context.Context, o engine.AcceptOptions) (engine.Accepted, error)
	Archive(ctx context.Context) error

	// Steerable returns an error that names the run to steer instead, or nil.
	Steerable() error
	// Abort ends the run and returns what to tell the user. A loop has ended
	// when it returns; a plan ends soon.
	Abort(ctx context.Context, reason string) (string, error)
	// NeedsPerson reports whether the run waits for an answer without a deadline.
	NeedsPerson() bool
	// Questions returns the open questions about the run, in the order in which
	// they are put.
	Questions(ctx context.Context) ([]Question, error)
	// Waiting reads the run again and reports what it waits for.
	Waiting(ctx context.Context) (Waiting, error)
	// Offer returns what Accept would merge.
	Offer() Offer
	// Diff returns the revisions before and after the work; no head is no work.
	Diff() (base, head string)
	// AfterMerge returns what follows the message that the work was merged.
	AfterMerge(ctx context.Context, done engine.Accepted) (string, error)
	// Accepted returns the commit as which the work that there is was accepted; "" is none.
	Accepted() string
	// Unaccepted reports whether archiving would hide proved work.
	Unaccepted(ctx context.Context) (bool, error)

	// Write writes the run as an object for programs.
	Write(ctx context.Context) error
	// Text describes the run for people, Line one of its events.
	Text(ctx context.Context) (string, error)
	Line(r engine.Event) string
	// Result writes how the run stands now, and ends the command with its code.
	Result(ctx context.Context) error
	// Ending is Result for a run that was followed in the foreground: it does
	// not repeat what the screen has shown, and has no code.
	Ending(ctx context.Context) error
}

// Offer is a range of commits to merge, and what a person has to know of it first.
type Offer struct {
	Base, Commit string
	// Item reads the run as its page shows it: accept asks about what that page lists.
	Item func(context.Context) (Item, error)
	// Partial: a part of the work is missing.
	Partial bool
	// Missing lists what the work lacks of earlier runs.
	Missing func(context.Context) ([]string, error)
}

// Item is a view.Item or a view.PlanItem.
type Item interface{ Look() []loop.Concern }

// Waiting is the outcome of a run that waits, and what it waits for.
type Waiting struct {
	engine.Outcome
	Questions []Question
	// Live: another process drives it now. Stopped: it has ended, or is paused.
	Live, Stopped bool
	// Due is the earliest time at which some of it continues by itself; zero is
	// never.
	Due time.Time
}

// handle implements the verbs that are the same for both kinds.
type handle[Spec, State, Record any] struct {
	opener  *project.Opener
	project *project.Project
	id      string
	verbs   engine.Runs[Spec, State, Record]
	outcome func(State) engine.Outcome
	// Now is the run as it was read last.
	Now Record
}

func (h *handle[Spec, State, Record]) Load(ctx context.Context) (err error) {
	h.Now, err = h.verbs.Show(ctx, h.id)
	return err
}

func (h *handle[Spec, State, Record]) Send(ctx context.Context, c engine.Command) error {
	_, err := h.verbs.Send(ctx, h.id, c)
	return err
}

func (h *handle[Spec, State, Record]) Resume(ctx context.Context, o engine.Options, d engine.Drive) (engine.Outcome, error) {
	s, err := h.verbs.Resume(ctx, h.id, o, d)
	return h.outcome(s), err
}

func (h *handle[Spec, State, Record]) Events(ctx context.Context, after int64) ([]engine.Event, error) {
	return h.verbs.Events(ctx, h.id, after)
}

func (h *handle[Spec, State, Record]) Accept(ctx context.Context, o engine.AcceptOptions) (engine.Accepted, error) {
	return h.verbs.Accept(ctx, h.id, o)
}

func (h *handle[Spec, State, Record]) Archive(ctx context.Context) error {
	return h.verbs.Archive(ctx, h.id)
}

// Loop is a loop as a Run.
type Loop struct {
	handle[loop.Spec, loop.State, engine.Loop]
	log view.Log
}

// Plan is the run of a plan as a Run.
type Plan struct {
	handle[engine.PlanSpec, plan.State, engine.Plan]
	phases plan.Phases
}

// OfLoop returns the handle of a loop that was read.
func OfLoop(a *project.Opener, p *project.Project, l engine.Loop) *Loop {
	return &Loop{handle[loop.Spec, loop.State, engine.Loop]{a, p, l.State.ID, p.Loops, engine.LoopOutcome, l}, view.Log{}}
}

// OfPlan returns the handle of a plan that was read.
func OfPlan(a *project.Opener, p *project.Project, l engine.Plan) *Plan {
	return &Plan{handle[engine.PlanSpec, plan.State, engine.Plan]{a, p, l.State.ID, p.Plans, engine.PlanOutcome, l}, plan.Phases{}}
}

// LoopByID reads a loop.
func LoopByID(ctx context.Context, a *project.Opener, p *project.Project, id string) (Run, error) {
	r := OfLoop(a, p, engine.Loop{State: loop.State{Spec: loop.Spec{ID: id}}})
	return r, r.Load(ctx)
}

// PlanByID reads a plan.
func PlanByID(ctx context.Context, a *project.Opener, p *project.Project, id string) (Run, error) {
	r := OfPlan(a, p, engine.Plan{State: plan.State{ID: id}})
	return r, r.Load(ctx)
}
