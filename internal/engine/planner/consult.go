package planner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
)

// Agents are asked about plans outside of any run too: to draft one, and to review
// one before it runs. They are held as reviewers are: they read the repository at
// Base and write nothing of it.

// Consulting is the agents to ask, and their sandbox.
type Consulting struct {
	// Held has the repository's state at Base, and the settings of the sandbox.
	Held loop.Spec
	// Agents are asked in this order until one gives an answer that can be used.
	Agents []loop.Agent
	// Timeout bounds each answer.
	Timeout loop.Deadline
}

// Consulted is how it went.
type Consulted = review.Consulted

// Criticism and Critique are findings about a plan.
type (
	Criticism = ballot.Criticism
	Critique  = ballot.Critique
)

// DraftRequest asks for a plan.
type DraftRequest = review.DraftPage

// mostDrafts and mostCritiques bound the requests to one agent: a draft that cannot
// be read is returned to its author with the mistakes.
const (
	mostDrafts    = 3
	mostCritiques = 2
)

// Draft lets an agent write a plan. check returns what is wrong with one, for its
// author; last is the newest text, also where it was never right.
func (p *Planner) Draft(ctx context.Context, c Consulting, d DraftRequest, check func(text string) error) (last string, done Consulted, err error) {
	done, err = p.consult(ctx, c, review.Consultation{Tries: mostDrafts, Page: func(nonce, wrong string) string {
		if last != "" {
			d.Before = last
		}
		return d.Text(nonce, wrong)
	}, Read: func(text, nonce string) error {
		body, err := review.ParseDraft(text, nonce)
		if err != nil {
			return err
		}
		last = body
		return check(body)
	}})
	return last, done, err
}

// Criticise has a plan reviewed before it runs. Text is the plan's file.
func (p *Planner) Criticise(ctx context.Context, c Consulting, text string) (found Critique, done Consulted, err error) {
	lines := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1
	done, err = p.consult(ctx, c, review.Consultation{Tries: mostCritiques, Page: func(nonce, wrong string) string {
		return review.CriticPage(text, nonce, wrong)
	}, Read: func(answer, nonce string) (err error) {
		found, err = ballot.ParseCritique(answer, nonce, lines)
		return err
	}})
	return found, done, err
}

// consult asks in a folder of its own, which is removed.
func (p *Planner) consult(ctx context.Context, c Consulting, q review.Consultation) (Consulted, error) {
	root := filepath.Join(p.Repo.CommonDir, "ralph", "consulted")
	if err := os.MkdirAll(root, 0o700); err != nil {
		return Consulted{}, fmt.Errorf("make a folder for the question: %w", err)
	}
	dir, err := os.MkdirTemp(root, "")
	if err != nil {
		return Consulted{}, fmt.Errorf("make a folder for the question: %w", err)
	}
	defer os.Remove(root) // of the last one
	defer os.RemoveAll(dir)
	w, id := p.NewWorker(dir), "consulted-"+filepath.Base(dir)
	q.Desk = review.Desk{
		Dir: dir, ID: id, Repo: p.Repo, Commit: c.Held.Base, TreeRoot: reviewSlots(w.TreeRoot, id),
		Env: w.Env.Agent(), Sandbox: w.ConfineReviewer(loop.State{Spec: c.Held}), Timeout: c.Timeout, Grace: w.Grace, BackOff: c.Held.Limits.BackOff, Now: p.Now,
	}
	for _, a := range c.Agents {
		q.Agents = append(q.Agents, w.Reviewer(a))
	}
	w.Attend(&q.Desk, id, c.Held.Limits, false)
	return w.Consult(ctx, q)
}
