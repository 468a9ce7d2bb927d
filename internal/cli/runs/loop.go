package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

func (*Loop) Kind() string { return "loop" }

func (r *Loop) Outcome() engine.Outcome {
	o := engine.LoopOutcome(r.Now.State)
	o.Crashed = r.Now.Crashed
	return o
}

func (r *Loop) StatusText() string { return project.StatusText(r.Now) }

func (r *Loop) Live() bool { return r.Now.Live }

func (r *Loop) Seq() int64 { return r.Now.Seq }

func (*Loop) Steerable() error { return nil }

func (r *Loop) Abort(ctx context.Context, reason string) (string, error) {
	s, err := EndLoop(ctx, r.opener, r.project, r.id, reason)
	return Ended(s), err
}

func (r *Loop) NeedsPerson() bool { return NeedsPerson(r.Now.State) }

// Questions returns the loop's own question, or those that its plan asks about
// the work of this loop.
func (r *Loop) Questions(ctx context.Context) ([]Question, error) {
	s := r.Now.State
	if own := LoopQuestions(s, ""); len(own) > 0 || s.Task.Plan == nil {
		return own, nil
	}
	l, err := r.project.Plans.Show(ctx, s.Parent)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(OwnQuestions(l.State), func(q Question) bool {
		t := l.State.Task(q.Task)
		return t == nil || t.Loop != s.ID
	}), nil
}

func (r *Loop) Waiting(ctx context.Context) (Waiting, error) {
	if err := r.Load(ctx); err != nil {
		return Waiting{}, err
	}
	s, asks := r.Now.State, LoopQuestions(r.Now.State, "")
	// A loop that was answered while no process ran it is paused, and continues.
	stopped := s.Status.Terminal() || s.Ending != nil || s.Status == loop.Paused && s.Open() != nil
	return Waiting{r.Outcome(), asks, r.Now.Live, stopped, due(asks, plan.State{}, nil)}, nil
}

func (r *Loop) Offer() Offer {
	s := r.Now.State
	return Offer{
		Base: s.Base, Commit: s.Commit, Missing: func(context.Context) ([]string, error) { return nil, nil },
		Item: func(ctx context.Context) (Item, error) { return LoopItem(ctx, r.project, r.Now) },
	}
}

func (r *Loop) Diff() (base, head string) {
	s := r.Now.State
	if s.FailureRef != "" && s.Status.Terminal() {
		return s.Base, cmp.Or(r.Now.Kept, "refs/heads/"+s.FailureRef)
	}
	return s.Base, s.Commit
}

func (r *Loop) AfterMerge(_ context.Context, done engine.Accepted) (string, error) {
	how := "merged; its gates passed again on the result"
	if done.FastForward {
		how = "fast-forward to the commit that was proved"
	}
	return " (" + how + ")\n  next: " + next.Archive(r.id), nil
}

func (r *Loop) Accepted() string { return r.Now.State.Accepted }

func (r *Loop) Unaccepted(ctx context.Context) (bool, error) {
	s := r.Now.State
	if s.Status != loop.StatusPassed || s.Commit == "" || r.Now.Archived || s.Mode == loop.AgentDriven || s.Accepted != "" {
		return false, nil
	}
	if s.InPlan() {
		if own, err := r.project.Plans.Show(ctx, s.Parent); err == nil && own.State.Accepted != "" {
			return false, nil // what of it landed is accepted; the rest is not to be
		}
	}
	tip, err := r.project.Repo.RefCommit(ctx, "refs/heads/"+s.Branch)
	return tip == s.Commit, err
}

func (r *Loop) Write(ctx context.Context) error { return WriteLoop(ctx, r.opener, r.project, r.id) }

func (r *Loop) Text(ctx context.Context) (string, error) {
	v, err := loopView(ctx, r.opener, r.project, r.Now)
	if err != nil {
		return "", err
	}
	return v.Show(r.opener.Now(), r.opener.Palette(r.opener.Out)), nil
}

func (r *Loop) Line(e engine.Event) string {
	event, known := e.Decoded.(loop.Event)
	if !known {
		return newerEvent(e)
	}
	return r.log.Lines([]view.PastEvent{{Seq: e.Seq, Event: event}}, r.opener.Now(), r.opener.Palette(r.opener.Out))
}

// newerEvent is the line of an event that this version cannot decode.
func newerEvent(e engine.Event) string {
	if !json.Valid(e.Data) {
		return fmt.Sprintf("%d  %s  (the record of this event is damaged)\n", e.Seq, text.Clean(e.Name))
	}
	return fmt.Sprintf("%d  %s  (an event of a newer version)\n", e.Seq, text.Clean(e.Name))
}

// Result first records an end that is due on an agent-driven loop.
func (r *Loop) Result(ctx context.Context) error {
	if err := r.opener.RecordDue(ctx, r.project, r.Now); err != nil {
		return err
	}
	if r.opener.JSON {
		if err := r.Write(ctx); err != nil {
			return err
		}
	} else {
		r.opener.Say("%s: %s", r.id, r.StatusText())
	}
	return exit.With(exit.CodeOf(r.Outcome()))
}

func (r *Loop) Ending(ctx context.Context) error {
	if !r.opener.JSON {
		return nil
	}
	return r.Write(ctx)
}
