package planner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// restingRun is a loop, or a child plan, that has begun and does not get on by
// itself. Task is empty for the loop that proves the whole plan.
type restingRun struct {
	task, id string
	child    bool
	why      loop.Reason
}

func restingOf(s plan.State) []restingRun {
	var out []restingRun
	for _, t := range s.Tasks {
		if t.Rests != "" && t.Now() != "" && t.Rests != plan.ForPerson && t.Rests != plan.ForCapacity {
			out = append(out, restingRun{t.ID, t.Now(), t.Child && t.Status == plan.Running, t.Rests})
		}
	}
	if s.FinalRests != "" {
		out = append(out, restingRun{"", s.Final, false, s.FinalRests})
	}
	return out
}

// wake resumes items that need not rest any more.
func (r *run) wake(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	for _, s := range restingOf(r.state) {
		goes, err := r.continues(ctx, s)
		if err != nil {
			return err
		}
		if goes {
			taken := plan.Taken{Stamp: r.stamp(), Task: s.task}
			if !s.child {
				taken.Unanswered = r.unansweredOf(ctx, s.id)
			}
			if err := r.commit(ctx, taken); err != nil {
				return err
			}
		}
	}
	return nil
}

// continues reports whether a resting loop can continue: its question was
// answered, another process resumed it, or it has ended. A process that steers
// it holds it for a moment, and leaves it as it is.
func (p *Planner) continues(ctx context.Context, s restingRun) (bool, error) {
	if s.child {
		return p.childContinues(ctx, s.id)
	}
	l, err := p.Loops.Show(ctx, s.id)
	if errors.Is(err, engine.ErrNotFound) { // it was paused before it began
		return false, nil
	}
	answered := s.why == loop.ForHuman && l.State.Open() == nil
	taken := l.Live && !resting(l.State.Status, l.State.Reason)
	return err == nil && (answered || taken || l.State.Status.Terminal()), err
}

// resting: a loop or a plan does not get on before a person does something.
func resting(s loop.Status, why loop.Reason) bool {
	return s == loop.Paused || s == loop.Waiting && why == loop.ForHuman
}

// unansweredOf returns the last question of a loop if it has no answer, or nil.
func (r *run) unansweredOf(ctx context.Context, id string) *loop.Question {
	l, err := r.Loops.Show(ctx, id)
	if err != nil || len(l.State.Questions) == 0 {
		return nil // the decision takes effect, notified or not
	}
	if q := l.State.Questions[len(l.State.Questions)-1]; q.AnsweredByPolicy() {
		return &q
	}
	return nil
}

// wakeNow retries at once everything that waits for a usage limit in a running
// plan: its loops, its reviews, and those of the plans in its tasks' places. Loops that a
// person has paused continue.
// Where nothing waits, it only reports that a process runs it.
func (p *Planner) wakeNow(ctx context.Context, rec storedPlan, c engine.Command) error {
	if c.Text != "" { // one loop that is paused
		return p.post(ctx, rec.State.ID, c)
	}
	woken, err := p.wakeLoops(ctx, rec.State.ID, c)
	if err != nil {
		return err
	}
	if len(rec.State.ReviewHolds()) > 0 || rec.State.HasPaused() {
		if err := p.post(ctx, rec.State.ID, c); err != nil {
			return err
		}
		woken = true
	}
	for _, t := range rec.State.Tasks {
		if !t.Child || t.Status != plan.Running {
			continue
		}
		child, err := p.Store.Read(ctx, t.Loop)
		if err == nil && child.Live {
			err = p.wakeNow(ctx, child, c)
			woken = woken || err == nil
		}
		if err != nil && !nothingToDo(err) && !errors.Is(err, engine.ErrRunning) {
			return err
		}
	}
	if !woken {
		return fmt.Errorf("%w, and nothing in it is paused or waits for a provider", engine.ErrRunning)
	}
	return nil
}

// wakeLoops notifies the loops of a plan that wait for a usage limit.
func (p *Planner) wakeLoops(ctx context.Context, id string, c engine.Command) (woken bool, err error) {
	loops, err := p.Loops.List(ctx, engine.Filter{Active: true, Parent: id})
	if err != nil {
		return false, err
	}
	for _, l := range loops {
		if !l.Live || !l.State.AwaitsStart() {
			continue
		}
		if _, err := p.Loops.Send(ctx, l.State.ID, c); err != nil && !nothingToDo(err) {
			return woken, err
		}
		woken = true
	}
	return woken, nil
}

// The policies for unanswered questions.
const (
	takeDefault = "default"
	failTask    = "fail"
)

// unattended answers questions whose time is over, and notes whether one is
// left that will be: the run does not rest before. A question with a deadline
// of its own has its own default, whatever the policy for the others is.
func (r *run) unattended(ctx context.Context) error {
	r.expects = false
	policy := r.spec.Unattended.Policy
	if r.state.Status.Terminal() || r.state.PauseAsked {
		return nil
	}
	if q := r.state.OpenQuestion(); q != nil && policyAnswers(policy) {
		if err := r.answerPlan(ctx, *q, policy); err != nil {
			return err
		}
	}
	for _, s := range restingOf(r.state) {
		if s.why == loop.ForHuman && !s.child { // a child answers its own
			if err := r.answerLoop(ctx, s.id, policy); err != nil {
				return err
			}
		}
	}
	return nil
}

// policyAnswers reports whether the policy answers a question in the place of a person.
func policyAnswers(policy string) bool { return policy == takeDefault || policy == failTask }

// answerPlan answers a question of the plan: by its default, or by the answer
// that decides against. Without either, only a person can.
func (r *run) answerPlan(ctx context.Context, q plan.Question, policy string) error {
	text := q.Default
	if policy == failTask {
		text = q.No
	}
	if text == "" || !r.overdue(q.Question) {
		r.expects = r.expects || text != ""
		return nil
	}
	r.expects = true // the consequence of the answer
	return r.commit(ctx, plan.Answered{Stamp: r.stamp(), Text: text, By: loop.ByPolicy, Question: q.ID})
}

func (r *run) overdue(q loop.Question) bool {
	return r.Now().Sub(q.AskedAt) >= r.spec.Unattended.After
}

// answerLoop answers the question of a loop by its default, or ends the loop. A
// question without a default waits, where defaults are to be taken.
func (r *run) answerLoop(ctx context.Context, id, policy string) error {
	l, err := r.Loops.Show(ctx, id)
	if err != nil {
		return err
	}
	q := l.State.Open()
	switch {
	case q == nil:
		return nil
	case !q.Deadline.IsZero():
		return r.answerTimed(ctx, id, *q)
	case !policyAnswers(policy), policy == takeDefault && q.Default == "":
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
	return r.sendAnswer(ctx, id, c)
}

// answerTimed has the default of a loop's question taken when its deadline has
// come. Where a person is asked at a terminal the run rests, and continues with
// it then.
func (r *run) answerTimed(ctx context.Context, id string, q loop.Question) error {
	key := id + "/" + q.ID
	if r.times[key] == nil {
		r.times[key] = &engine.Until{}
	}
	end := r.times[key]
	end.Set(q.Deadline, r.Now())
	if end.Left() > 0 {
		r.expects = r.expects || !r.drive.Rests
		return nil
	}
	r.expects = true // the consequence of the default
	return r.sendAnswer(ctx, id, engine.Command{Kind: engine.Wake, By: loop.ByPolicy, Question: q.ID})
}

// sendAnswer sends the answer to a question; another process may have been
// faster.
func (r *run) sendAnswer(ctx context.Context, id string, c engine.Command) error {
	_, err := r.Loops.Send(ctx, id, c)
	if nothingToDo(err) {
		return nil
	}
	return err
}
