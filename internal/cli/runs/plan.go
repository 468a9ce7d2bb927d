package runs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

func (*Plan) Kind() string { return "plan" }

func (r *Plan) Outcome() engine.Outcome {
	o := engine.PlanOutcome(r.Now.State)
	o.Crashed = r.Now.Crashed
	return o
}

func (r *Plan) StatusText() string { return string(r.Now.State.Status) }

func (r *Plan) Live() bool { return r.Now.Live }

func (r *Plan) Seq() int64 { return r.Now.Seq }

func (r *Plan) Steerable() error {
	return exit.UsageError("name the loop of a task: "+next.Show(r.id)+" lists them", "%s is a plan, and has no agent of its own to steer", r.id)
}

func (r *Plan) Abort(ctx context.Context, reason string) (string, error) {
	return r.id + ": aborting; what landed stays on its branch", r.Send(ctx, engine.Command{Kind: engine.Abort, Text: reason, By: r.opener.Owner()})
}

// NeedsPerson is false: other tasks of a plan may run while one asks.
func (*Plan) NeedsPerson() bool { return false }

func (r *Plan) Questions(ctx context.Context) ([]Question, error) {
	asks, err := PlanQuestions(ctx, r.project, r.Now.State)
	return withApproach(asks, r.Now), err
}

func (r *Plan) Waiting(ctx context.Context) (Waiting, error) {
	if err := r.Load(ctx); err != nil {
		return Waiting{}, err
	}
	s := r.Now.State
	loops, asks, err := planLoops(ctx, r.project, s)
	stopped := s.Status.Terminal() || s.Status == loop.Paused || s.PauseAsked
	return Waiting{r.Outcome(), withApproach(append(OwnQuestions(s), asks...), r.Now), r.Now.Live, stopped, due(asks, s, loops)}, err
}

func (r *Plan) Offer() Offer {
	s := r.Now.State
	return Offer{
		Base: s.Base, Commit: s.Tip, Partial: s.PartLanded() != "",
		Item:    func(ctx context.Context) (Item, error) { return PlanItem(ctx, r.project, r.Now, Accepting) },
		Missing: func(ctx context.Context) ([]string, error) { return Lost(ctx, r.project, s.File, r.Now.Plan, s.Tip) },
	}
}

func (r *Plan) Diff() (base, head string) {
	if s := r.Now.State; s.Tip != s.Base {
		return s.Base, s.Tip
	}
	return r.Now.State.Base, ""
}

func (r *Plan) AfterMerge(ctx context.Context, _ engine.Accepted) (string, error) {
	if err := r.Load(ctx); err != nil {
		return "", err
	}
	left := r.LeftModified(ctx)
	if r.Now.Archived {
		return left + "\n  archived: everything that it asks for is done and nothing is open", nil
	}
	v, err := r.view(ctx)
	if err != nil {
		return left, err
	}
	left += "\n  next: " + cmp.Or(v.Next, next.Archive(r.id))
	if v.Again != "" && v.Again != v.Next {
		left += "\n  to try the rest again: " + v.Again
	}
	return left, nil
}

// LeftModified tells of the plan's file where it holds changes that no commit has.
func (r *Plan) LeftModified(ctx context.Context) string {
	d, err := r.project.Repo.Dirty(ctx, "")
	file := launch.ShownPath(r.opener, r.Now.State.File)
	if err != nil || !slices.Contains(d.Sample, file) {
		return ""
	}
	return "\n  look: " + text.Clean(file) + " holds changes of yours, and is left as it is;\n  commit it: git add " + command.ShellWord(file) + " && git commit"
}

func (r *Plan) Accepted() string { return r.Now.State.Accepted }

// Unaccepted reports whether something of an ended plan landed and is not accepted.
func (r *Plan) Unaccepted(context.Context) (bool, error) {
	s := r.Now.State
	return s.Status.Terminal() && s.Tip != s.Base && s.Accepted == "" && !r.Now.Archived, nil
}

func (r *Plan) Write(ctx context.Context) error {
	if err := r.Load(ctx); err != nil {
		return err
	}
	return WritePlan(ctx, r.opener, r.project, r.Now)
}

func (r *Plan) view(ctx context.Context) (view.Plan, error) {
	item, err := PlanItem(ctx, r.project, r.Now, Proving)
	return view.PlanOf(item, r.opener.Now()), err
}

func (r *Plan) Text(ctx context.Context) (string, error) {
	v, err := r.view(ctx)
	return v.Show(r.opener.Now(), r.opener.Palette(r.opener.Out)), err
}

func (r *Plan) Line(e engine.Event) string {
	event, known := e.Decoded.(plan.Event)
	if !known {
		return newerEvent(e)
	}
	lines := view.PlanLines(r.Now.State, event, r.opener.Palette(r.opener.Out))
	if len(lines) == 0 {
		lines = view.PlanSteps(event)
	}
	if task, phase := r.phases.Enter(event); phase != "" {
		lines = append(lines, view.PlanPhase(task, phase))
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%4d  %s  %s\n", e.Seq, e.At.Local().Format("15:04:05"), l)
	}
	return b.String()
}

func (r *Plan) Result(ctx context.Context) error {
	c, s := r.opener, r.Now.State
	if c.JSON {
		if err := WritePlan(ctx, c, r.project, r.Now); err != nil {
			return err
		}
	} else {
		v, err := r.view(ctx)
		if err != nil {
			return err
		}
		c.Say("%s", v.Line(c.Palette(c.Err)))
		if s.Reason != "" && s.Status != loop.StatusPassed && v.Message != "" {
			c.Say("  %s", text.Clean(v.Message))
		}
	}
	return exit.With(exit.CodeOf(r.Outcome()))
}

// Ending writes the plan's report, and tells how the plan stands.
func (r *Plan) Ending(ctx context.Context) error {
	if err := r.Load(ctx); err != nil {
		return err
	}
	c := r.opener
	page := planReport(ctx, c, r.project, r.Now)
	if c.JSON {
		return WritePlan(ctx, c, r.project, r.Now)
	}
	v, err := r.view(ctx)
	if err != nil {
		return err
	}
	c.Say("\n%s", v.End(c.Now(), c.Palette(c.Err)))
	if page != "" {
		c.Say("report: %s", page)
	}
	return nil
}
