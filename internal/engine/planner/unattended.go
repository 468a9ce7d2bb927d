package planner

import (
	"context"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// The policies for questions that nobody answers.
const (
	takeDefault = "default"
	failTask    = "fail"
)

// unattended settles questions whose time is over, and notes whether one is left
// that will be: the run does not rest before. A question with a deadline of its own
// says what is done without an answer, whatever the policy for the others is.
func (r *run) unattended(ctx context.Context) error {
	r.expects = false
	policy := r.spec.Unattended.Policy
	if r.state.Status.Terminal() || r.state.PauseAsked {
		return nil
	}
	if q := r.state.OpenQuestion(); q != nil && settles(policy) {
		if err := r.settlePlan(ctx, *q, policy); err != nil {
			return err
		}
	}
	for _, s := range sleepersOf(r.state) {
		if s.why == loop.ForHuman && !s.child { // a child settles its own
			if err := r.settleLoop(ctx, s.id, policy); err != nil {
				return err
			}
		}
	}
	return nil
}

// settles: the policy does something about a question that nobody answers.
func settles(policy string) bool { return policy == takeDefault || policy == failTask }

// settlePlan answers a question of the plan: by its default, or by the answer
// that decides against. Where there is none, only a person can.
func (r *run) settlePlan(ctx context.Context, q plan.Question, policy string) error {
	text := q.Default
	if policy == failTask {
		text = q.No
	}
	if text == "" || !r.overdue(q.Question) {
		r.expects = r.expects || text != ""
		return nil
	}
	r.expects = true // what follows from the answer
	return r.apply(ctx, plan.Answered{Stamp: r.stamp(), Text: text, By: loop.ByPolicy, Question: q.ID})
}

func (r *run) overdue(q loop.Question) bool {
	return r.Now().Sub(q.AskedAt) >= r.spec.Unattended.After
}

// settleLoop answers the question of a loop by its default, or ends the loop. A
// question without a default waits, where defaults are to be taken.
func (r *run) settleLoop(ctx context.Context, id, policy string) error {
	l, err := r.Engine.Show(ctx, id)
	if err != nil {
		return err
	}
	q := l.State.Open()
	switch {
	case q == nil:
		return nil
	case !q.Deadline.IsZero():
		return r.settleTimed(ctx, id, *q)
	case !settles(policy), policy == takeDefault && q.Default == "":
		return nil
	}
	r.expects = true
	if !r.overdue(*q) {
		return nil
	}
	c := engine.Command{Kind: engine.Answer, Text: q.Default, By: loop.ByPolicy, Question: q.ID}
	if policy == failTask {
		c = engine.Command{Kind: engine.Abort, Text: "its question was not answered within " + r.spec.Unattended.After.Round(time.Second).String(), By: loop.ByPolicy}
	}
	return r.settle(ctx, id, c)
}

// settleTimed has the default of a loop's question taken when its deadline has come.
// Where a person is asked at a terminal the run rests, and goes on with it then.
func (r *run) settleTimed(ctx context.Context, id string, q loop.Question) error {
	key := id + "/" + q.ID
	if r.times[key] == nil {
		r.times[key] = &engine.Until{}
	}
	end := r.times[key]
	end.Hear(q.Deadline, r.Now())
	if end.Left() > 0 {
		r.expects = r.expects || !r.drive.Rests
		return nil
	}
	r.expects = true // what follows from the default
	return r.settle(ctx, id, engine.Command{Kind: engine.Wake, By: loop.ByPolicy, Question: q.ID})
}

// settle sends what settles a question; somebody may have been faster.
func (r *run) settle(ctx context.Context, id string, c engine.Command) error {
	_, err := r.Engine.Send(ctx, id, c)
	if over(err) {
		return nil
	}
	return err
}
