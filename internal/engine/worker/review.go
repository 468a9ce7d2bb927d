package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/agent"
	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/gate/evidence"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
)

// review evaluates a gate that asks reviewers, or a person. A question that
// reviewers cannot decide is put to a person, whose answer is the gate's
// result; a usage limit of reviewers is waited for.
func (w *Worker) review(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	g := *a.Gate
	if e, ok := w.answered(s, a); ok {
		return e, nil
	}
	switch {
	case g.Kind == loop.KindHuman:
		return asks(a, personal(s, g), "approve", "reject"), nil
	case g.Review == nil || len(g.Review.Reviewers) == 0:
		return w.verdict(a, loop.Error, "no reviewer is configured"), nil
	}
	diff, files, err := w.work(ctx, s, a.Commit)
	if err != nil {
		return nil, err
	}
	if g.IsJudgesReview() {
		return w.reviewJudges(ctx, s, a, h, diff)
	}
	if !concerns(g.Review.Paths, files) {
		return w.verdict(a, loop.Passed, "not needed: the work changes no file that this review is for"), nil
	}
	began := w.Now()
	out, err := w.ask(ctx, s, a, h, diff)
	if err != nil {
		return nil, err
	}
	if e, ok := undecided(s, a, out, began); ok {
		return e, nil
	}
	e, err := w.decided(s, a, out, began)
	return e, err
}

// ask asks the reviewers of a gate, and counts what they cost.
func (w *Worker) ask(ctx context.Context, s loop.State, a loop.Action, h *Hooks, subject review.Subject) (review.Outcome, error) {
	r := w.request(s, a, h, subject)
	if err := w.WithBasePrograms(ctx, &r, s.Base); err != nil {
		return review.Outcome{}, err
	}
	out, err := review.Ask(ctx, r)
	if err == nil {
		w.Bill(&out)
	}
	return out, err
}

// verdict is a result that needs no reviewer.
func (w *Worker) verdict(a loop.Action, v loop.Verdict, reason string) loop.GateEnded {
	return loop.GateEnded{Result: loop.Result{
		Gate: a.Gate.Name, Kind: a.Gate.Kind, Level: a.Gate.Level, Verdict: v, Reason: reason, Commit: a.Commit, Clean: true, Where: GateTree, StartedAt: w.Now(),
	}}
}

// The text of a person's answer.
const (
	sayYes   = "approve"
	sayNo    = "reject"
	sayAgain = "again"
)

func asks(a loop.Action, text string, options ...string) loop.Asked {
	return loop.Asked{Question: loop.Question{Text: text, Options: options, Gate: a.Gate.Name, Commit: a.Commit}}
}

func personal(s loop.State, g loop.Gate) string {
	text := g.Ask
	if text == "" {
		text = fmt.Sprintf("Is %q done as you want it?", s.Task.ID)
	}
	return text + fmt.Sprintf(" (%s; approve, or say what is missing)", next.Show(s.ID, "--diff"))
}

// answered returns the gate's result where a person has decided for this
// commit. Any decision but approve is a rejection, with the reason for the
// next attempt.
func (w *Worker) answered(s loop.State, a loop.Action) (loop.Event, bool) {
	for _, q := range slices.Backward(s.Questions) {
		if q.Gate != a.Gate.Name || q.Commit != a.Commit || !q.Answered {
			continue
		}
		answer := strings.TrimSpace(q.Choose(q.Answer))
		switch strings.ToLower(answer) {
		case sayAgain:
			return nil, false
		case sayYes:
			return w.verdict(a, loop.Passed, "approved by a person"), true
		case sayNo, "":
			return w.verdict(a, loop.Failed, "rejected by a person"), true
		}
		e := w.verdict(a, loop.Failed, "rejected by a person: "+answer)
		e.Result.Excerpt = evidence.Excerpt([]byte(answer))
		return e, true
	}
	return nil, false
}

// undecided returns the consequence of too few reviewers: a limit or an
// overload is waited for, anything else is a person's to decide. Soft reviews
// delay no loop.
func undecided(s loop.State, a loop.Action, out review.Outcome, now time.Time) (loop.Event, bool) {
	if out.Quorum || a.Gate.Level == loop.Soft && !a.Gate.IsJudgesReview() {
		return nil, false
	}
	fail := loop.WorkFailed{Step: s.Step, Busy: true, Provider: true, Message: out.Reason, Spent: bills(out)}
	soon := false
	if fail.Until, soon = out.Later(now); !fail.Until.IsZero() || soon && s.Retries < s.Limits.Transient {
		return fail, true
	}
	if a.Gate.IsJudgesReview() { // nothing is permitted
		return nil, false
	}
	ask := asks(a, out.Reason+". Approve the work, reject it, or ask again?", sayYes, sayNo, sayAgain)
	ask.Spent = bills(out)
	return ask, true
}

// decided keeps the record of a review and makes the gate's result of it. Its
// votes are the excerpt: the next attempt reads them.
func (w *Worker) decided(s loop.State, a loop.Action, out review.Outcome, began time.Time) (loop.GateEnded, error) {
	verdict := loop.Failed
	switch {
	case out.Passed():
		verdict = loop.Passed
	case !out.Quorum:
		verdict = loop.Error
	}
	e := w.verdict(a, verdict, out.Reason)
	r := &e.Result
	r.Sandbox, r.Weak = out.Held(), out.Weak()
	r.StartedAt, r.Duration, r.Usage, r.Spent = began, w.Now().Sub(began), out.Usage, bills(out)
	r.Excerpt = evidence.Excerpt([]byte(review.Tell(out)))
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return e, fmt.Errorf("keep the review: %w", err)
	}
	text = append(text, '\n')
	pass := 0
	if l := s.Last(); l != nil {
		pass = l.Passes
	}
	r.OutputFile = strings.TrimSuffix(w.Files.GateLog(a.Attempt, a.Gate.Name, pass), ".log") + ".json"
	if err := durable.Write(r.OutputFile, text); err != nil {
		return e, fmt.Errorf("keep the review: %w", err)
	}
	sum := sha256.Sum256(text)
	r.OutputSHA256, r.OutputBytes = hex.EncodeToString(sum[:]), int64(len(text))
	return e, nil
}

// concerns reports whether a review is for work on these files.
func concerns(globs, files []string) bool {
	return len(globs) == 0 || slices.ContainsFunc(files, func(f string) bool {
		return slices.ContainsFunc(globs, func(g string) bool {
			return doublestar.MatchUnvalidated(g, f) || doublestar.MatchUnvalidated(g+"/**", f)
		})
	})
}

// maxReviewDiff is how much of a diff is read, of which reviewers are shown what fits.
const maxReviewDiff = 8 << 20

// work returns the loop's changes so far.
func (w *Worker) work(ctx context.Context, s loop.State, commit string) (subject review.Subject, files []string, err error) {
	changes, err := w.Repo.ChangedFiles(ctx, s.Base, commit)
	if err != nil {
		return subject, nil, fmt.Errorf("look at the work: %w", err)
	}
	for _, c := range changes {
		files = append(files, c.Path)
	}
	patch, cut, err := w.Repo.Diff(ctx, s.Base, commit, maxReviewDiff)
	if err != nil {
		return subject, nil, fmt.Errorf("look at the work: %w", err)
	}
	stat, err := w.Repo.DiffStat(ctx, s.Base, commit)
	if err != nil {
		return subject, nil, fmt.Errorf("look at the work: %w", err)
	}
	return review.Subject{
		Task: s.Task.Text, Criteria: s.Task.Criteria, Diff: string(patch), DiffCut: cut, Files: files,
		Stat:     fmt.Sprintf("%d files, +%d −%d", stat.Files, stat.Insertions, stat.Deletions),
		Evidence: measured(s),
	}, files, nil
}

// measured are the results of this attempt's gates that measure something: a
// reviewer does not see other reviews.
func measured(s loop.State) (out []loop.Result) {
	if l := s.Last(); l != nil {
		for _, r := range l.Results {
			if r.Kind != loop.KindReview && r.Kind != loop.KindHuman {
				out = append(out, r.ForAgents())
			}
		}
	}
	return out
}

func (w *Worker) request(s loop.State, a loop.Action, h *Hooks, subject review.Subject) review.Request {
	g := a.Gate.Review
	r := review.Request{
		Kind: ballot.Kind(g.Kind), Author: s.Agent.Name, Subject: subject,
		Rule: ballot.Rule{Unanimous: g.Unanimous, Need: g.Need, Quorum: g.Quorum},
		Desk: review.Desk{
			Dir: filepath.Join(w.Files.Attempt(a.Attempt), "reviews", engine.FileName(a.Gate.Name)), ID: s.ID,
			Repo: w.Repo, Commit: a.Commit, TreeRoot: w.TreeRoot, Tree: w.reviewTree,
			Env: w.Env.Agent(w.ownMarks(s)...), Sandbox: w.ConfineReviewer(s), Timeout: a.Timeout, Grace: w.Grace, BackOff: s.Limits.BackOff, Kill: h.Kill, Alive: h, Now: w.Now,
			OnEvent: func(_ string, e agent.Event) { h.Event(e) },
		},
	}
	for _, v := range g.Reviewers {
		r.Reviewers = append(r.Reviewers, w.Reviewer(v))
	}
	if g.Self {
		self := w.Reviewer(s.Agent)
		r.Fallback = &self
	}
	w.Attend(&r.Desk, s.ID, s.Limits, s.TryNow)
	return w.redacted(r)
}

// redacted removes keys from the output of reviewers.
func (w *Worker) redacted(r review.Request) review.Request {
	seats := r.Reviewers
	if r.Fallback != nil {
		seats = append(slices.Clip(seats), *r.Fallback)
	}
	r.Desk.Mask = w.redactFor(agentsOf(seats)...).Masker
	return r
}

func agentsOf(seats []review.Reviewer) (all []loop.Agent) {
	for _, v := range seats {
		all = append(all, v.Agent)
	}
	return all
}

// Consult asks agents for a text, and fills in the cost where its agent reported
// none.
func (w *Worker) Consult(ctx context.Context, c review.Consultation) (review.Consulted, error) {
	c.Desk.Mask = w.redactFor(agentsOf(c.Agents)...).Masker
	done, err := review.Consult(ctx, c)
	done.Usage = w.Priced(done.By, done.Usage, done.Model)
	return done, err
}

// Reviewer is an agent with its driver; one without cannot be had.
func (w *Worker) Reviewer(a loop.Agent) review.Reviewer {
	return review.Reviewer{Agent: a, Driver: w.Drivers[a.Use]}
}

// reviewTree is one of the pool. Each seat has its own, none is ever an agent's
// or a gate's.
func (w *Worker) reviewTree(ctx context.Context, seat int) (string, error) {
	t, err := w.take(ctx, fmt.Sprintf("review%d", seat), "")
	if err != nil || !t.Fresh {
		return t.Path, err
	}
	return t.Path, w.Trees.Ready(ctx, t.Path)
}
