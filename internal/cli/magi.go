package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/review"
)

// magi ask three reviewers about work in a plan (seed 003); nil where nobody is
// configured to review.
func (a *app) magi(p *project) func(context.Context, planner.ReviewRequest) (planner.Verdict, error) {
	if p.settings == nil || p.repo == nil {
		return nil
	}
	reviewers, self := p.settings.Magi()
	if len(reviewers) == 0 {
		return nil
	}
	return func(ctx context.Context, ask planner.ReviewRequest) (planner.Verdict, error) {
		r, err := a.magiRequest(ctx, p, ask)
		if err != nil {
			return planner.Verdict{}, err
		}
		for _, v := range reviewers {
			r.Reviewers = append(r.Reviewers, seat(v))
		}
		if self {
			author := seat(ask.Author)
			r.Fallback = &author
		}
		out, err := review.Magi(ctx, r)
		if err != nil {
			return planner.Verdict{}, err
		}
		return verdict(out, ask, r.Desk.Dir)
	}
}

func seat(v loop.Agent) review.Reviewer {
	return review.Reviewer{Agent: v, Driver: drivers()[v.Use]}
}

// magiDiff is how much of a diff they are shown.
const magiDiff = 200 << 10

func (a *app) magiRequest(ctx context.Context, p *project, ask planner.ReviewRequest) (review.Request, error) {
	patch, cut, err := p.repo.Diff(ctx, ask.Base, ask.Commit, magiDiff)
	if err != nil {
		return review.Request{}, fmt.Errorf("look at the work: %w", err)
	}
	s := p.settings.Settings.Review
	name := "plan"
	if ask.Task != "" {
		sum := sha256.Sum256([]byte(ask.Task))
		name = hex.EncodeToString(sum[:4])
	}
	r := review.Request{
		Author: ask.Author.Name,
		Subject: review.Subject{
			Title: ask.Plan.Title, Task: ask.Text, Criteria: ask.Criteria, Plan: ask.Plan.Page, Constraints: ask.Plan.Constraints,
			Diff: string(patch), DiffCut: cut, Evidence: ask.Results, Known: ask.Plan.Open,
		},
		Desk: review.Desk{
			Dir: filepath.Join(ask.Dir, "reviews", name+"-"+short(ask.Commit)), ID: "magi-" + name,
			Repo: p.repo, Commit: ask.Commit, TreeRoot: filepath.Join(a.treeRoot(p), "magi-"+short(ask.Commit)),
			Env: engine.Environment(a.Env).Agent(), Timeout: loop.Deadline(s.Timeout), Grace: a.Grace, Now: a.now,
		},
	}
	if ask.Task != "" {
		r.Subject.Section = ask.Text
	}
	return r, nil
}

func short(commit string) string { return commit[:min(len(commit), 12)] }

// verdict keeps the record and tells the plan what it is to know.
func verdict(out review.Outcome, ask planner.ReviewRequest, dir string) (planner.Verdict, error) {
	v := planner.Verdict{
		Review: plan.Review{
			Task: ask.Task, Commit: ask.Commit, Pass: out.Passed(), Recommendation: string(out.Recommendation),
			Reason: out.Reason, Degraded: out.Degraded, File: filepath.Join(dir, "review.json"),
		},
		Settled: out.Resolved,
	}
	for _, g := range out.Gaps {
		v.Findings = append(v.Findings, plan.Finding{Kind: plan.Gap, Text: g, From: "review"})
	}
	for _, e := range out.EdgeCases {
		v.Findings = append(v.Findings, plan.Finding{Kind: plan.EdgeCase, Text: e, From: "review"})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err == nil {
		err = os.WriteFile(v.File, append(text, '\n'), 0o600)
	}
	if err != nil {
		return v, fmt.Errorf("keep the review: %w", err)
	}
	return v, nil
}

