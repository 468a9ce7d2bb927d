package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/agent"
	"ralph/internal/loop"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
)

// concerns reports whether a review is for work on these files.
func concerns(globs, files []string) bool {
	return len(globs) == 0 || slices.ContainsFunc(files, func(f string) bool {
		return slices.ContainsFunc(globs, func(g string) bool {
			return doublestar.MatchUnvalidated(g, f) || doublestar.MatchUnvalidated(g+"/**", f)
		})
	})
}

// maxReviewDiff is how much of a diff reviewers are shown.
const maxReviewDiff = 200 << 10

// work is what the loop has done so far.
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
		Task: s.Task.Text, Criteria: s.Task.Criteria, Diff: string(patch), DiffCut: cut,
		Stat:     fmt.Sprintf("%d files, +%d −%d", stat.Files, stat.Insertions, stat.Deletions),
		Evidence: measured(s),
	}, files, nil
}

// measured are the results of this attempt's gates that measure something: what
// other reviewers said is none of a reviewer's business.
func measured(s loop.State) (out []loop.Result) {
	if l := s.Last(); l != nil {
		for _, r := range l.Results {
			if r.Kind != loop.KindReview && r.Kind != loop.KindHuman {
				out = append(out, r)
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
			Dir: filepath.Join(w.Files.Attempt(a.Attempt), "reviews", fileName(a.Gate.Name)), ID: s.ID,
			Repo: w.Repo, Commit: a.Commit, TreeRoot: w.TreeRoot, Tree: w.reviewTree,
			Env: w.Env.Agent(), Hold: w.HoldReviewer(s), Timeout: a.Timeout, Grace: w.Grace, BackOff: s.Limits.BackOff, Kill: h.Kill, Alive: h, Now: w.Now,
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
	return w.discreet(r)
}

// discreet has the keys of reviewers struck out of what they say.
func (w *Worker) discreet(r review.Request) review.Request {
	seats := r.Reviewers
	if r.Fallback != nil {
		seats = append(slices.Clip(seats), *r.Fallback)
	}
	var all []loop.Agent
	for _, v := range seats {
		all = append(all, v.Agent)
	}
	r.Desk.Strike = w.strikeFor(all)
	return r
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
