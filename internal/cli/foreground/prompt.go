package foreground

import (
	"context"
	"errors"
	"slices"
	"time"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A run in the foreground that waits for a person asks where it was typed. Nobody
// runs it meanwhile, so others may answer, end or pause it from elsewhere: then
// the prompt ends, and what they said is followed.

// runStatus is the outcome of a run that waits, and what it asks, in the order in
// which that is put.
type runStatus struct {
	engine.Outcome
	asks []runs.Question
	// live: another process runs it now. stopped: it has ended, or is paused.
	live, stopped bool
	// due is when something of it goes on by itself that waits for a time; zero is
	// never.
	due time.Time
}

func loopStatus(ctx context.Context, p *project.Project, id string) (runStatus, error) {
	l, err := p.Engine.Show(ctx, id)
	if err != nil {
		return runStatus{}, err
	}
	s := l.State
	// One that was answered while nobody ran it is paused, and is to go on.
	stopped := s.Status.Terminal() || s.Ending != nil || s.Status == loop.Paused && s.Open() != nil
	asks := runs.LoopQuestions(s, "")
	return runStatus{Outcome: engine.LoopOutcome(s), asks: asks, live: l.Live, stopped: stopped, due: due(asks, plan.State{}, nil)}, nil
}

func planStatus(ctx context.Context, p *project.Project, id string) (runStatus, error) {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return runStatus{}, err
	}
	s := l.State
	loops, asks, err := runs.PlanLoops(ctx, p, s)
	return runStatus{
		Outcome: engine.PlanOutcome(s), asks: append(runs.OwnQuestions(s), asks...), live: l.Live,
		stopped: s.Status.Terminal() || s.Status == loop.Paused || s.PauseAsked, due: due(asks, s, loops),
	}, err
}

// due is the earliest time for which a question, or something of a plan, waits.
func due(asks []runs.Question, s plan.State, loops map[string]loop.State) (first time.Time) {
	sooner := func(t time.Time) {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	for _, q := range asks {
		sooner(q.Question.Deadline)
	}
	for _, l := range loops {
		if l.Status == loop.Waiting && l.Reason == loop.ForLimit {
			sooner(l.Wake)
		}
	}
	for _, h := range s.ReviewHolds() {
		sooner(h.Until)
	}
	return first
}

// turn is what became of open questions.
type turn int

const (
	staysOpen turn = iota
	// goesOn: one of them is answered.
	goesOn
	// isDue: what waited for a time goes on, and the question is put again later.
	isDue
	// isOver: the time for an answer to one of them is over.
	isOver
	// elsewhere: the run has ended, is paused, or somebody else goes on with it.
	elsewhere
)

// since is what has become of questions that were open.
func (s runStatus) since(asked []runs.Question, now time.Time) turn {
	gone := func(q runs.Question) bool {
		return !slices.ContainsFunc(s.asks, func(o runs.Question) bool { return o.Key() == q.Key() })
	}
	switch {
	case s.stopped:
		return elsewhere
	case slices.ContainsFunc(asked, gone):
		return goesOn
	case s.live:
		return elsewhere
	case slices.ContainsFunc(asked, func(q runs.Question) bool { return q.Overdue(now) }):
		return isOver
	case !s.due.IsZero() && !now.Before(s.due):
		return isDue
	}
	return staysOpen
}

// errMoved ends a prompt whose question is not what it was.
var errMoved = errors.New("the question is settled")

// askInPlace puts what is open to the person, one question after the other.
// Nothing is no answer: that one stays open.
func (a *Runner) askInPlace(ctx context.Context, p *project.Project, r *runHandle, id string) (turn, error) {
	now, err := r.status(ctx, id)
	if err != nil {
		return staysOpen, err
	}
	defer p.Store.AtPrompt(id)()
	came := staysOpen
	for i, q := range now.asks {
		watch := func(ctx context.Context) (turn, error) {
			s, err := r.status(ctx, id)
			return s.since(now.asks[i:], a.Now()), err
		}
		text, moved, err := a.putWhile(ctx, q, watch)
		if err != nil || moved != staysOpen {
			return moved, err
		}
		if text == "" {
			continue
		}
		if err := a.Reply(ctx, p, q, text); err != nil && !runs.AlreadySettled(err) {
			return came, err
		}
		came = goesOn
	}
	return came, nil
}

// putWhile puts a question for as long as it is open.
func (a *Runner) putWhile(ctx context.Context, q runs.Question, watch func(context.Context) (turn, error)) (string, turn, error) {
	ctx, over := context.WithCancelCause(ctx)
	seen := make(chan turn, 1)
	go func() { seen <- untilMoved(ctx, over, watch) }()
	text, err := a.PutQuestion(ctx, q)
	over(nil)
	moved := <-seen
	switch moved {
	case goesOn:
		a.Say("\nanswered from elsewhere; it goes on")
	case isOver:
		a.Say("\nnobody has answered in time; it goes on with the default")
	case isDue:
		a.Say("\nwhat waited goes on; it is asked again when nothing else does")
	case elsewhere:
		a.Say("\nit was ended, paused or taken up from elsewhere; nothing was answered here")
	default:
		return text, staysOpen, err
	}
	return "", moved, nil
}

// often is how long a question is left alone between two looks at it.
const PollEvery = 300 * time.Millisecond

// untilMoved looks at a question until it is settled, or the prompt is over. What
// cannot be read now may be read next time. Who carries out a command holds a
// loop for a moment: only what is seen twice has moved.
func untilMoved(ctx context.Context, over context.CancelCauseFunc, watch func(context.Context) (turn, error)) turn {
	before := staysOpen
	for command.Sleep(ctx, PollEvery) == nil {
		t, err := watch(ctx)
		if err == nil && t != staysOpen && t == before && ctx.Err() == nil {
			over(errMoved)
			return t
		}
		before = t
	}
	return staysOpen
}

// atRest waits a while for others to let go of a run, and tells how they left it.
func (r *runHandle) atRest(ctx context.Context, id string) (runStatus, error) {
	const patience = 30 // looks
	for range patience {
		if o, err := r.status(ctx, id); err != nil || !o.live {
			return o, err
		}
		if err := command.Sleep(ctx, PollEvery); err != nil {
			return runStatus{}, err
		}
	}
	return r.status(ctx, id)
}
