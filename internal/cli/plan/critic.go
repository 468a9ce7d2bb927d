package plan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// Criticism is what a reviewer finds in a plan before it runs.
type Criticism struct {
	// By is the agent that looked, Tries how often agents were asked.
	By    string `json:"by"`
	Tries int    `json:"tries"`
	planner.Critique
	Usage loop.Usage `json:"usage,omitzero"`
}

// criticise has the plan reviewed, and adds what was found.
func (a *Commands) criticise(ctx context.Context, c *Check, f agentFlags) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	agents, err := a.critics(p, f)
	if err != nil {
		return err
	}
	asked, err := a.consulting(ctx, p, agents, loop.Deadline(p.Settings.Settings.Review.Timeout))
	if err != nil {
		return err
	}
	data, err := os.ReadFile(a.realPlan(c.File))
	if err != nil {
		return exit.UsageError("name a plan file", "read plan %s: %v", c.File, err)
	}
	a.Say("asking %s about the plan …", text.Clean(agents[0].Name))
	found, done, err := p.Plans.Criticise(ctx, asked, string(data))
	if err != nil {
		return err
	}
	if !done.Answered() {
		return unanswered("the plan was not reviewed", done)
	}
	found.Findings = append([]planner.Criticism{}, found.Findings...)
	c.Review = &Criticism{By: done.By.Name, Tries: done.Tries, Critique: found, Usage: done.Usage}
	return nil
}

// critics are the agent of the flags, else the configured reviewers, else the agent
// that would do the work.
func (a *Commands) critics(p *project.Project, f agentFlags) ([]loop.Agent, error) {
	reviewers, _ := p.Settings.Magi()
	if f.given() || len(reviewers) == 0 {
		return a.named(p, f)
	}
	reviewers = slices.Clone(reviewers)
	return reviewers, launch.AllConfigured(a.Opener, p, reviewers)
}

// unanswered is the error where no agent gave an answer that can be used.
func unanswered(what string, done planner.Consulted) error {
	e := &exit.Error{
		Code: exit.Missing, Err: errors.New(what + ": " + text.Clean(strings.Join(done.Failures, "; "))),
		Hint: "name another agent: --agent NAME",
	}
	if done.Limited {
		e.Code = exit.Limit
	}
	return e
}

// printCriticism writes the findings as a compiler does: file, line, what is wrong.
func (a *Commands) printCriticism(c Check) {
	r := c.Review
	for _, f := range r.Findings {
		where := c.File
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d", c.File, f.Line)
		}
		a.Print(text.Clean(fmt.Sprintf("%s: %s: %s", where, strings.ReplaceAll(string(f.Flaw), "_", " "), f.What)))
		if f.Fix != "" {
			a.Print("  " + text.Clean(f.Fix))
		}
	}
	line := fmt.Sprintf("review by %s: no findings", r.By)
	if n := len(r.Findings); n > 0 {
		line = fmt.Sprintf("review by %s: %d findings", r.By, n)
	}
	if r.Summary != "" {
		line += ": " + r.Summary
	}
	a.Print(text.Clean(line))
}
