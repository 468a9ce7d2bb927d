package resume

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/recovery"
	"ralph/internal/text"
	"ralph/internal/view"
)

// crashedLoops returns the loops that should be running and have no owner.
func crashedLoops(ctx context.Context, p *project.Project) ([]engine.Loop, error) {
	active, err := p.Loops.List(ctx, engine.Filter{Active: true})
	var out []engine.Loop
	for _, l := range active {
		if l.Crashed {
			out = append(out, l)
		}
	}
	if err != nil {
		return nil, err
	}
	plans, err := crashedPlans(ctx, p)
	return runs.Apart(out, plans), err
}

// crashedPlans are those whose process is gone, without those that a crashed plan
// runs in a task's place.
func crashedPlans(ctx context.Context, p *project.Project) ([]engine.Plan, error) {
	all, err := p.Plans.List(ctx, engine.Filter{Active: true})
	return runs.Topmost(slices.DeleteFunc(all, func(l engine.Plan) bool { return !l.Crashed })), err
}

// listed describes several crashed loops where there is no terminal.
func listed(crashed []engine.Loop) error {
	var b strings.Builder
	for _, l := range crashed {
		fmt.Fprintf(&b, "\n  %s   %s", next.Resume(l.State.ID), text.Headline(l.State.Task.Text, 40))
	}
	return exit.UsageError("all of them: ralph resume --crashed", "%d loops crashed:%s", len(crashed), b.String())
}

// offer asks of each crashed loop whether to resume it, abort it, or leave it
// for later (seed 001).
func (a *Commands) offer(ctx context.Context, p *project.Project, crashed []engine.Loop, f resumeFlags) error {
	var again []engine.Loop
	for _, l := range crashed {
		s := l.State
		fmt.Fprintf(a.Err, "%s crashed\n  Task: %s\n  Iteration: %d/%d, %s\n", s.ID, text.Headline(s.Task.Text, 66),
			s.Iteration, s.Limits.MaxIterations, view.Told(s, project.Facts(l), a.Now()))
		answer, err := a.Ask(ctx, "Resume it, abort it, or leave it for later? [R/a/l] ")
		if err != nil {
			return err
		}
		switch strings.ToLower(answer) {
		case "", "r", "resume":
			again = append(again, l)
		case "a", "abort":
			s, err := runs.EndLoop(ctx, a.Opener, p, s.ID, "aborted after a crash")
			if err != nil {
				return err
			}
			a.Say("%s", runs.Ended(s))
		case "l", "leave":
			a.Say("left; continue with: %s", next.Resume(s.ID))
		default:
			return exit.UsageError("answer r, a or l", "%q is not one of: r, a, l", answer)
		}
	}
	if len(again) == 1 {
		return a.resumeLoop(ctx, p, again[0], f)
	}
	var failed []error
	for _, l := range again {
		failed = append(failed, a.sent(l.State.ID, a.runner.ResumeInBackground(ctx, p, l.State.ID, f.words()...)))
	}
	return errors.Join(failed...)
}

// words returns the flags for another process that resumes one of several.
func (f resumeFlags) words() []string {
	var out []string
	for word, on := range map[string]bool{"--now": f.Now, "--force": f.Force, "--rescue": f.Recovery} {
		if on {
			out = append(out, word)
		}
	}
	return out
}

func (a *Commands) sent(id string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	a.Say("%s continues in the background; follow it with: %s", id, next.Follow(id))
	return nil
}

// resumeCrashed resumes every crashed run: one here, several in the background.
// Between tries of one run it waits as a supervisor does, unless --now is given: a
// user who resumes it starts the count again.
func (a *Commands) resumeCrashed(ctx context.Context, p *project.Project, f resumeFlags) error {
	loops, err := crashedLoops(ctx, p)
	if err != nil {
		return err
	}
	plans, err := crashedPlans(ctx, p)
	if err != nil {
		return err
	}
	actions, err := a.runner.Supervisor(p).Acts(ctx)
	if err != nil {
		return err
	}
	due, rest := due(a.crashedRuns(p, plans, loops), actions, f.Now)
	for _, c := range rest {
		a.Say("%s is not due yet: %s", c.id, c.standing())
	}
	switch {
	case len(loops)+len(plans) == 0:
		a.Say("no run has crashed here")
	case len(due) == 0:
		return &exit.Error{Code: exit.Busy, Err: errors.New("every crashed run was resumed before and is not due yet"), Hint: "ralph resume --crashed --now"}
	case len(due) == 1:
		return a.resumeClaimed(ctx, p, due[0], f)
	}
	var failed []error
	for _, c := range due {
		won, err := a.resumeInBackground(ctx, p, c, f)
		if won || err != nil {
			failed = append(failed, a.sent(c.id, err))
		}
	}
	if a.JSON {
		failed = append(failed, runs.WriteList(ctx, a.Opener, p, runs.IDs(loops), runs.PlanIDs(plans)...))
	}
	return errors.Join(failed...)
}

// crashedRun is a crashed loop or plan. Without an action its resume is not
// counted as a try.
type crashedRun struct {
	kind   recovery.Kind
	id     string
	action *recovery.Action
	// rests: the user asked for a pause, and supervisors leave it alone.
	rests bool
	// standing describes it, here resumes it in this process.
	standing func() string
	here     func(context.Context, resumeFlags) error
}

func (a *Commands) crashedRuns(p *project.Project, plans []engine.Plan, loops []engine.Loop) (all []crashedRun) {
	for _, l := range plans {
		all = append(all, crashedRun{
			kind: recovery.Plan, id: l.State.ID, rests: l.State.PauseAsked,
			standing: func() string { return view.Recovered(l.Recovery, a.Now()) },
			here: func(ctx context.Context, f resumeFlags) error {
				return a.resumePlan(ctx, p, runs.OfPlan(a.Opener, p, l), f)
			},
		})
	}
	for _, l := range loops {
		all = append(all, crashedRun{
			kind: recovery.Loop, id: l.State.ID,
			standing: func() string { return view.Told(l.State, project.Facts(l), a.Now()) },
			here:     func(ctx context.Context, f resumeFlags) error { return a.resumeLoop(ctx, p, l, f) },
		})
	}
	return all
}

// due splits crashed runs into those to resume now, with the action that claims
// each, and the rest. The policy's actions decide; the user's --now, and the
// user's own pause, go before it.
func due(crashed []crashedRun, actions []recovery.Action, now bool) (out, rest []crashedRun) {
	for _, c := range crashed {
		i := slices.IndexFunc(actions, func(act recovery.Action) bool { return act.Kind == c.kind && act.ID == c.id })
		switch {
		case now || c.rests:
			out = append(out, c)
		case i >= 0 && actions[i].Verb == recovery.Resume:
			c.action = &actions[i]
			out = append(out, c)
		default:
			rest = append(rest, c)
		}
	}
	return out, rest
}

func (a *Commands) resumeClaimed(ctx context.Context, p *project.Project, c crashedRun, f resumeFlags) error {
	if c.action == nil {
		return c.here(ctx, f)
	}
	f.Recovery = true
	s := a.runner.Supervisor(p)
	var ran error
	s.Start = func(ctx context.Context, _ recovery.Action) error {
		if ran = c.here(ctx, f); ran != nil && exit.Classify(ran).Code == exit.Busy {
			return fmt.Errorf("%w: %w", engine.ErrNotNow, ran)
		}
		return nil // the result is in the run's own record
	}
	won, err := s.Do(ctx, *c.action)
	switch {
	case ran != nil:
		return ran
	case err == nil && !won:
		err = fmt.Errorf("%s %s: %w", c.kind, c.id, engine.ErrRunning)
	}
	return err
}

func (a *Commands) resumeInBackground(ctx context.Context, p *project.Project, c crashedRun, f resumeFlags) (bool, error) {
	if c.action == nil {
		return true, a.runner.ResumeInBackground(ctx, p, c.id, f.words()...)
	}
	return a.runner.Supervisor(p).Do(ctx, *c.action)
}
