package loop

import (
	"maps"
	"slices"
)

// A State is a value: a caller may keep one and apply different events to it.
// Apply therefore copies deeply; a test that overwrites a clone finds a field
// that is missing here.

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

func each[T any](list []T, clone func(T) T) []T {
	out := slices.Clone(list)
	for i := range out {
		out[i] = clone(out[i])
	}
	return out
}

func (s State) clone() State {
	s.Spec = s.Spec.clone()
	s.BaseResults, s.BaseAgain = each(s.BaseResults, Result.clone), each(s.BaseAgain, Result.clone)
	s.Recent = each(s.Recent, Attempt.clone)
	if s.Tally != nil {
		s.Tally = new(s.Tally.clone())
	}
	s.Questions = each(s.Questions, Question.clone)
	s.Guidance = slices.Clone(s.Guidance)
	s.Disputes = each(s.Disputes, Dispute.clone)
	s.Ending = copied(s.Ending)
	if s.Clash != nil {
		s.Clash = new(s.Clash.clone())
	}
	s.Move, s.Partial, s.Origin = copied(s.Move), copied(s.Partial), copied(s.Origin)
	s.Usage = s.Usage.clone()
	s.Spent = each(s.Spent, AgentSpent.clone)
	s.Warned = slices.Clone(s.Warned)
	return s
}

func (p AgentSpent) clone() AgentSpent {
	p.Usage = p.Usage.clone()
	return p
}

func (s Spec) clone() Spec {
	s.Task.Criteria, s.Task.Scope = slices.Clone(s.Task.Criteria), slices.Clone(s.Task.Scope)
	s.Task.Plan = s.Task.Plan.clone()
	s.Agent, s.Agents = s.Agent.clone(), each(s.Agents, Agent.clone)
	s.After, s.SandboxWrite, s.SandboxHide = slices.Clone(s.After), slices.Clone(s.SandboxWrite), slices.Clone(s.SandboxHide)
	s.RunsOn = slices.Clone(s.RunsOn)
	s.Gates = each(s.Gates, Gate.clone)
	s.Setup, s.Teardown, s.Copy = slices.Clone(s.Setup), slices.Clone(s.Teardown), slices.Clone(s.Copy)
	s.Protect, s.MayChange, s.OtherGates = slices.Clone(s.Protect), slices.Clone(s.MayChange), slices.Clone(s.OtherGates)
	s.Refuse, s.Guided = slices.Clone(s.Refuse), slices.Clone(s.Guided)
	return s
}

func (p *InPlan) clone() *InPlan {
	if p = copied(p); p == nil {
		return nil
	}
	p.Steps, p.Done, p.Open = slices.Clone(p.Steps), slices.Clone(p.Done), slices.Clone(p.Open)
	p.Unchecked = slices.Clone(p.Unchecked)
	p.Before = copied(p.Before)
	return p
}

func (a Agent) clone() Agent {
	a.Argv, a.Args, a.Env = slices.Clone(a.Argv), slices.Clone(a.Args), maps.Clone(a.Env)
	return a
}

func (g Gate) clone() Gate {
	g.Env = maps.Clone(g.Env)
	g.MinTests, g.Threshold, g.MinImages = copied(g.MinTests), copied(g.Threshold), copied(g.MinImages)
	g.Protect = slices.Clone(g.Protect)
	if g.Review != nil {
		g.Review = new(g.Review.clone())
	}
	return g
}

func (r Review) clone() Review {
	r.Reviewers, r.Paths = each(r.Reviewers, Agent.clone), slices.Clone(r.Paths)
	r.Labels, r.Phases = slices.Clone(r.Labels), slices.Clone(r.Phases)
	return r
}

func (a Attempt) clone() Attempt {
	a.Agent, a.Usage, a.SessionUsed = a.Agent.clone(), a.Usage.clone(), a.SessionUsed.clone()
	a.Files, a.Notes, a.Nested = slices.Clone(a.Files), slices.Clone(a.Notes), slices.Clone(a.Nested)
	a.Secrets, a.Links, a.Suspects = slices.Clone(a.Secrets), slices.Clone(a.Links), slices.Clone(a.Suspects)
	a.Obeyed, a.Refused, a.Findings = slices.Clone(a.Obeyed), slices.Clone(a.Refused), a.Findings.clone()
	a.Results, a.Proof = each(a.Results, Result.clone), a.Proof.clone()
	return a
}

func (r Result) clone() Result {
	r.Value, r.Threshold, r.ExitCode = copied(r.Value), copied(r.Threshold), copied(r.ExitCode)
	r.Tests, r.Findings = r.Tests.clone(), r.Findings.clone()
	if r.Judging = copied(r.Judging); r.Judging != nil {
		r.Judging.SetAside, r.Judging.Tests = slices.Clone(r.Judging.SetAside), r.Judging.Tests.clone()
		r.Judging.NewTests = slices.Clone(r.Judging.NewTests)
		r.Judging.ExitCode = copied(r.Judging.ExitCode)
	}
	r.Permitted, r.Lost, r.Opened = slices.Clone(r.Permitted), slices.Clone(r.Lost), slices.Clone(r.Opened)
	r.Missing, r.Argv, r.Restored = slices.Clone(r.Missing), slices.Clone(r.Argv), slices.Clone(r.Restored)
	r.Judges, r.Rewritten, r.Others = slices.Clone(r.Judges), slices.Clone(r.Rewritten), slices.Clone(r.Others)
	r.Usage, r.Spent = r.Usage.clone(), each(r.Spent, AgentSpent.clone)
	return r
}

func (t *Tests) clone() *Tests {
	if t = copied(t); t != nil {
		t.Failing = slices.Clone(t.Failing)
	}
	return t
}

func (o Outcome) clone() Outcome {
	o.ExitCode, o.Usage, o.Denials = copied(o.ExitCode), o.Usage.clone(), slices.Clone(o.Denials)
	o.Windows = slices.Clone(o.Windows)
	if o.Question != nil {
		o.Question = new(o.Question.clone())
	}
	if o.Dispute != nil {
		o.Dispute = new(o.Dispute.clone())
	}
	return o
}

func (q Question) clone() Question {
	q.Options = slices.Clone(q.Options)
	if q.Dispute != nil {
		q.Dispute = new(q.Dispute.clone())
	}
	return q
}

func (u Usage) clone() Usage {
	u.InputTokens, u.OutputTokens = copied(u.InputTokens), copied(u.OutputTokens)
	u.CacheReadTokens, u.CacheWriteTokens = copied(u.CacheReadTokens), copied(u.CacheWriteTokens)
	u.CostMicroUSD, u.Turns, u.ToolCalls = copied(u.CostMicroUSD), copied(u.Turns), copied(u.ToolCalls)
	return u
}
