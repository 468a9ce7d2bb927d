package loop

import (
	"fmt"
	"slices"
	"time"
)

// Prepared: worktrees stand ready.
type Prepared struct {
	Stamp
	Worktree string   `json:"worktree"`
	GateTree string   `json:"gate_tree"`
	Base     string   `json:"base,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

func (Prepared) Name() string { return "prepared" }

func (e Prepared) Describe() string { return e.Worktree }

// Local marks it as a journal.Local.
func (Prepared) Local() {}

func (e Prepared) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	if s.Step != StepSetup {
		return "already prepared"
	}
	s.Worktree, s.GateTree = e.Worktree, e.GateTree
	if e.Base != "" {
		s.Base = e.Base
	}
	s.Retries, s.Crashes = 0, 0
	if len(s.round(nil, true)) == 0 {
		s.boundary(StepAgent)
		return ""
	}
	s.boundary(StepBase)
	return ""
}

// Committed: the work stands in a commit (agent-driven: or in a tree).
type Committed struct {
	Stamp
	Commit  string   `json:"commit"`
	Tree    string   `json:"tree,omitempty"`
	Changed bool     `json:"changed"`
	Differs bool     `json:"differs"`
	Files   []string `json:"files,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	// Rewritten, Nested, Secrets, Links, Suspects, Findings and Obeyed are those of the attempt.
	Rewritten bool     `json:"rewritten,omitempty"`
	Nested    []string `json:"nested,omitempty"`
	Secrets   []string `json:"secrets,omitempty"`
	Links     []string `json:"links,omitempty"`
	Suspects  []string `json:"suspects,omitempty"`
	Findings  Findings `json:"findings,omitempty"`
	Obeyed    []string `json:"obeyed,omitempty"`
}

func (Committed) Name() string { return "committed" }

// Describe names the commit and how many files it changed.
func (e Committed) Describe() string {
	if !e.Changed {
		return "no change"
	}
	return fmt.Sprintf("%.7s, files: %d", e.Commit, len(e.Files))
}

// apply starts the gates, or closes an attempt whose commits are refused. In an agent-driven loop it also begins the
// attempt: the agent has worked, and now asks for a check.
func (e Committed) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	switch {
	case s.Mode == AgentDriven && s.Step != StepAgent, s.Mode != AgentDriven && s.Step != StepCommit:
		return "nothing is to be committed"
	case e.Commit == "" && (e.Tree == "" || s.Mode != AgentDriven):
		return "neither a commit nor a tree"
	case s.Mode == AgentDriven:
		if end := s.outOfTime(); end != nil {
			s.conclude(e.At, end.Status, end.Reason, end.Message)
			return ""
		}
		if n, approach := s.upcoming(); n != s.Iteration {
			s.begin(n, approach, e.At)
		}
	}
	a := s.Last()
	a.Commit, a.Tree, a.Changed = e.Commit, e.Tree, e.Changed
	a.Files = append([]string(nil), e.Files...)
	a.Notes = append(a.Notes, e.Notes...)
	a.Rewritten, a.Nested, a.Secrets = a.Rewritten || e.Rewritten, slices.Clone(e.Nested), slices.Clone(e.Secrets)
	a.Links, a.Suspects = slices.Clone(e.Links), slices.Clone(e.Suspects)
	a.Obeyed, a.Findings = slices.Clone(e.Obeyed), e.Findings.clone()
	s.Commit, s.Differs = e.Commit, e.Differs
	if s.Mode != AgentDriven && !e.Changed && a.Agent.hardlyBegan() {
		s.lacked(e.At)
		return ""
	}
	s.Retries = 0
	if s.refused(a) {
		s.giveVerdict(e.At)
		return ""
	}
	s.boundary(StepGates)
	if s.preliminary() && len(s.hard()) == 0 { // no gate can tell the agent anything soon
		s.boundary(StepVerify)
	}
	return ""
}

// WorkFailed: ralph itself could not do a step. Busy means that trying
// again later makes sense.
type WorkFailed struct {
	Stamp
	Step    Step   `json:"step"`
	Message string `json:"message"`
	Busy    bool   `json:"busy,omitempty"`
	// Provider: the reviewers are busy, and not a lock.
	Provider bool `json:"provider,omitempty"`
	// Until is when a usage limit that is in the way is over; such a wait is
	// not one of those that are counted.
	Until time.Time `json:"until,omitzero"`
	// Spent by the reviewers of a review that came to nothing.
	Spent []AgentSpent `json:"spent,omitempty"`
}

func (WorkFailed) Name() string { return "work_failed" }

func (e WorkFailed) Describe() string { return because(string(e.Step), e.Message) }

// apply: a temporary error is retried, any other ends the loop with the reason
// of its step.
func (e WorkFailed) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	if e.Step != s.Step || s.betweenChecks() {
		return "another step is under way"
	}
	if s.Step == StepGates {
		s.consulted(e.Spent)
	}
	if e.Busy && e.Until.After(e.At) {
		s.backOff(ForLimit, e.Until, e.Message)
		return ""
	}
	if e.Busy && s.Retries < s.Limits.Transient {
		why := ForLock
		if e.Provider {
			why = ForRetry
		}
		s.retry(e.At, why, e.Message)
		return ""
	}
	return s.cannot(e.At, e.Message)
}

// cannot ends the loop because the step under way cannot be done.
func (s *State) cannot(at time.Time, message string) string {
	switch s.Step {
	case StepSetup:
		s.conclude(at, StatusFailed, SetupError, message)
	case StepAgent:
		s.conclude(at, StatusFailed, AgentError, message)
	case StepBase, StepGates, StepProof:
		s.conclude(at, StatusFailed, GateError, message)
	case StepKeep:
		s.notKept(at, message)
	case StepTidy:
		s.finish(at)
	default:
		s.conclude(at, StatusFailed, GitError, message)
	}
	return ""
}
