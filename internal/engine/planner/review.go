package planner

import (
	"cmp"
	"context"
	"errors"

	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
	"ralph/internal/text"
)

// mostDiff is how much of a diff is read, of which the reviewers of a plan are shown what
// fits.
const mostDiff = 8 << 20

// inspection is one review to hold.
type inspection struct {
	task         string
	base, commit string
	author       loop.Agent
	subject      review.Subject
	dir          string
	// loop whose gates are the evidence. slot begins the names of the reviewers'
	// trees, of which those of several tasks are there at once: empty is the plan's.
	loop, slot string
	// held is the time that it has waited so far.
	held plan.Held
	// council votes on it; nil: magi look at it.
	council *loop.Review
}

// reviewTask reviews a chunk of work, whatever its gates said (seed 003).
func (r *run) reviewTask(a plan.Action) jobFunc {
	t := *r.state.Task(a.Task)
	task, _ := r.doc.task(t.ID)
	i := inspection{
		task: t.ID, base: t.From, commit: t.Commit, author: r.taskSpec(t).Agent, loop: t.Loop, slot: t.Loop, held: t.Held,
		dir: reviewDir(r.Dir(r.lease.ID()), t.Loop),
		subject: review.Subject{
			Title: task.Title, Task: taskText(task), Criteria: task.Criteria, Plan: string(r.doc.data), Section: taskText(task),
			Constraints: r.doc.plan.Constraints, Known: r.known(),
		},
	}
	return func(ctx context.Context) ([]plan.Event, error) {
		found, err := r.reportedBy(ctx, t)
		if err != nil {
			return nil, err
		}
		judged, err := r.inspect(ctx, i)
		return append(found, judged...), err
	}
}

// reviewPlan reviews the whole on the integration branch.
func (r *run) reviewPlan() jobFunc {
	i := inspection{
		base: r.state.Base, commit: r.state.Tip, author: r.spec.Task.Agent, council: r.spec.Council, held: r.state.Held,
		dir: reviewDir(r.Dir(r.lease.ID()), ofPlan+git.Short(r.state.Tip)),
		subject: review.Subject{
			Title: r.state.Title, Task: "Is the whole plan realised?", Plan: string(r.doc.data),
			Constraints: r.doc.plan.Constraints, Known: r.known(),
		},
	}
	return func(ctx context.Context) ([]plan.Event, error) { return r.inspect(ctx, i) }
}

func (r *run) known() []string {
	var out []string
	for _, f := range r.state.Open() {
		out = append(out, f.Text)
	}
	return out
}

// inspect asks the magi, or the council, about the work. Without configured
// reviewers the work is unreviewed; where too few were available the run waits
// for them, or asks a person.
func (r *run) inspect(ctx context.Context, i inspection) ([]plan.Event, error) {
	judged := plan.ReviewEnded{Stamp: r.stamp(), Review: plan.Review{
		Task: i.task, Commit: i.commit, At: r.stamp().At, Unreviewed: true, Reason: "no reviewer is configured",
	}}
	if len(r.reviewersOf(i)) == 0 {
		return []plan.Event{judged}, nil
	}
	if i.commit == "" || i.commit == i.base {
		// A chunk that changes nothing is worked on again. A plan that was done
		// before has nothing to look at.
		judged.Review.Unreviewed, judged.Review.Reason = i.task == "", "nothing was changed"
		return []plan.Event{judged}, nil
	}
	i.held.Now = i.held.Now || wokenNow(ctx)
	out, err := r.holdReview(ctx, i)
	if err != nil {
		return r.unpaid(i.task, "its review", err)
	}
	file, err := keepReview(i.dir, out)
	if err != nil {
		return nil, err
	}
	judged.Stamp = r.stamp()
	judged.Review = plan.Review{
		Task: i.task, Kind: string(i.kind()), Commit: i.commit, At: judged.At, Pass: out.Passed(), Reason: out.Reason,
		Recommendation: recommended(out), Asks: out.Asks(), Degraded: out.Degraded || r.alone(i), File: file,
	}
	if !out.Quorum {
		if held, ok := r.held(i, out); ok {
			return []plan.Event{held}, nil
		}
		judged.Review.Pass, judged.Review.Recommendation = false, plan.NeedsHuman
		judged.Review.TooFew, judged.Review.Unreviewed = true, out.Silent()
	}
	judged.Resolved = out.Resolved
	judged.Findings = findings("the review", out.Gaps, out.EdgeCases)
	if i.task == "" && !out.Passed() && len(judged.Findings) == 0 && judged.Review.Recommendation != plan.NeedsHuman {
		judged.Findings = findings("the review", []string{text.Head(text.Line(reasonOf(out)), mostClaim)}, nil) // else nothing could be done about it
	}
	return []plan.Event{judged}, nil
}

// unpaid returns the end of a task whose review no budget can pay for; any
// other error is one.
func (r *run) unpaid(task, what string, err error) ([]plan.Event, error) {
	spent, refused := errors.AsType[*money.RefusedError](err)
	if !refused {
		return nil, err
	}
	return []plan.Event{plan.Broken{Stamp: r.stamp(), Task: task, Reason: loop.Budget, Message: what + " cannot be paid: " + spent.Error()}}, nil
}

func findings(from string, gaps, edges []string) []plan.Finding {
	var out []plan.Finding
	for _, text := range gaps {
		out = append(out, plan.Finding{Kind: plan.Gap, Text: text, From: from})
	}
	for _, text := range edges {
		out = append(out, plan.Finding{Kind: plan.EdgeCase, Text: text, From: from})
	}
	return out
}

func (r *run) holdReview(ctx context.Context, i inspection) (review.Outcome, error) {
	w := r.NewWorker(r.Dir(r.lease.ID()))
	patch, cutOff, err := r.Repo.Diff(ctx, i.base, i.commit, mostDiff)
	if err != nil {
		return review.Outcome{}, err
	}
	i.subject.Diff, i.subject.DiffCut = string(patch), cutOff
	changes, err := r.Repo.ChangedFiles(ctx, i.base, i.commit)
	if err != nil {
		return review.Outcome{}, err
	}
	for _, c := range changes {
		i.subject.Files = append(i.subject.Files, c.Path)
	}
	results, err := r.evidence(ctx, i)
	if err != nil {
		return review.Outcome{}, err
	}
	i.subject.Evidence = measured(results)
	req := r.request(w, i)
	if err := w.WithBasePrograms(ctx, &req, i.base); err != nil {
		return review.Outcome{}, err
	}
	if i.council == nil {
		return w.Pay(ctx, r.lease, req, review.Magi)
	}
	req.Kind, req.Rule = ballot.Council, ballot.Rule{Unanimous: i.council.Unanimous, Need: i.council.Need, Quorum: i.council.Quorum}
	return w.Pay(ctx, r.lease, req, review.Ask)
}

// evidence returns the gate results of the work: of the loop's, or of the
// tip.
func (r *run) evidence(ctx context.Context, i inspection) ([]loop.Result, error) {
	if i.loop == "" {
		return Evidence(r.Dir(r.lease.ID()), i.commit)
	}
	l, err := r.Loops.Show(ctx, i.loop)
	return newest(l.State.ForAgents()), err
}

// request returns the part that all reviews of a plan share.
func (r *run) request(w *worker.Worker, i inspection) review.Request {
	req := review.Request{
		Author: i.author.Name, Subject: i.subject,
		Desk: review.Desk{
			Dir: i.dir, ID: cmp.Or(i.slot, r.spec.ID), Repo: r.Repo, Commit: i.commit, TreeRoot: reviewSlots(w.TreeRoot, r.spec.ID),
			Env: w.Env.Agent(), Sandbox: w.ConfineReviewer(loop.State{Spec: r.spec.Task}), Timeout: r.spec.ReviewTimeout, Grace: w.Grace, Now: r.Now,
		},
	}
	for _, a := range r.reviewersOf(i) {
		req.Reviewers = append(req.Reviewers, w.Reviewer(a))
	}
	if r.spec.ReviewSelf && !r.alone(i) {
		self := w.Reviewer(i.author)
		req.Fallback = &self
	}
	w.Attend(&req.Desk, r.spec.ID, r.spec.Task.Limits, i.held.Now)
	return req
}

// The whole plan is reviewed by the magi or, where that is configured, by a
// council: questions of its tasks' gates may concern all of them. Chunks of a
// plan of sections are always the magi's (seed 003).

// kind of review that this one is.
func (i inspection) kind() ballot.Kind {
	if i.council != nil {
		return ballot.Council
	}
	return ballot.Magi
}

// reviewersOf are the reviewers to ask. Where none is configured and the author may stand
// in (review.fallback: self), it reviews its own work.
func (r *run) reviewersOf(i inspection) []loop.Agent {
	switch {
	case i.council != nil:
		return i.council.Reviewers
	case r.alone(i):
		return []loop.Agent{i.author}
	}
	return r.spec.Reviewers
}

// alone reports whether the author is the only one to ask.
func (r *run) alone(i inspection) bool {
	return i.council == nil && len(r.spec.Reviewers) == 0 && r.spec.ReviewSelf
}

// recommended returns the recommendation for the plan. Voters of a council give
// a verdict and no advice: where all who answered approve the whole plan and
// none finds anything missing, no advice is left to give, and the plan may be
// archived. A vote won against a dissenting voter completes the plan and leaves
// it where it is, as does a magus who would continue.
func recommended(out review.Outcome) string {
	against := out.Rejections + out.Abstentions
	if out.Kind == ballot.Council && out.Passed() && against+len(out.Gaps)+len(out.EdgeCases) == 0 {
		return plan.Archive
	}
	return string(out.Recommendation)
}

// reasonOf returns the reasons of those who did not agree, for the next
// author.
func reasonOf(out review.Outcome) string {
	for _, v := range out.Votes {
		if v.Vote == ballot.Reject && v.Reason != "" {
			return v.Reason
		}
	}
	return out.Reason
}
