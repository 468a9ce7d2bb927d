package planner

import (
	"context"
	"fmt"
	"path/filepath"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
)

// approachReview has a reviewer agree to how a task is to be done, where that is
// configured in place of a person; else it is nil. Where none can be had, or
// can tell, the person is asked all the same.
func (r *run) approachReview(t plan.TaskState, task plan.Task, author loop.Agent) func(context.Context, plan.Stopped, string) ([]plan.Event, error) {
	if !r.spec.Rules.ByReview {
		return nil
	}
	i := inspection{
		task: t.ID, seat: t.Loop, author: author, base: t.From, commit: t.From, dir: filepath.Join(r.lease.Dir(), "reviews", t.Loop),
		subject: review.Subject{
			Title: task.Title, Task: words(task), Criteria: task.Criteria, Constraints: r.book.plan.Constraints, Known: r.known(),
		},
	}
	return func(ctx context.Context, done plan.Stopped, text string) ([]plan.Event, error) {
		i.subject.Approach = text
		w := r.Hands(r.lease.Dir())
		req := r.request(w, i)
		req.Kind = ballot.Approach
		out, err := w.Pay(ctx, r.lease, req, review.Ask)
		if err != nil {
			return r.unpaid(t.ID, "the review of its plan", err)
		}
		if _, err := keepReview(i.dir, out); err != nil {
			return nil, err
		}
		done.Stamp = r.stamp()
		if out.Quorum && (out.Passed() || out.Rejections > 0) {
			done.Opinion = &plan.Opinion{Approve: out.Passed(), Why: whyOf(out), Degraded: out.Degraded}
		} else {
			done.Output = fmt.Sprintf("no reviewer could tell (%s); %s", out.Reason, done.Output)
		}
		return []plan.Event{done}, nil
	}
}

// whyOf are the words of those who did not agree, for who writes it anew.
func whyOf(out review.Outcome) string {
	for _, v := range out.Votes {
		if v.Vote == ballot.Reject && v.Reason != "" {
			return v.Reason
		}
	}
	return out.Reason
}
