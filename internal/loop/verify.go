package loop

import (
	"fmt"
	"slices"
)

// Verifying: the gates of an agent-driven loop passed in its agent's tree, and the
// final verification begins (DoVerify). It judges what that tree held, as a commit,
// with all that a verdict of ralph run needs: in clean rooms, against the base.
type Verifying struct {
	Stamp
	// Commit holds the tree of the attempt; GateTree is where it is judged.
	Commit   string `json:"commit"`
	GateTree string `json:"gate_tree"`
	// Differs: it differs from the base.
	Differs bool `json:"differs"`
	// Secrets, Links, Suspects, Findings, Obeyed and Notes are those of the attempt.
	Secrets  []string `json:"secrets,omitempty"`
	Links    []string `json:"links,omitempty"`
	Suspects []string `json:"suspects,omitempty"`
	Findings Findings `json:"findings,omitempty"`
	Obeyed   []string `json:"obeyed,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

func (Verifying) Name() string { return "verifying" }

// Describe names the commit.
func (e Verifying) Describe() string { return fmt.Sprintf("%.7s", e.Commit) }

// apply begins with the gates on the base, where the loop does not know their
// results yet.
func (e Verifying) apply(s *State) string {
	switch {
	case s.Status != Running:
		return notRunning
	case s.Step != StepVerify:
		return "no verification is to begin"
	case e.Commit == "" || e.GateTree == "":
		return "it does not say what is judged, and where"
	}
	a := s.Last()
	a.Verifying, a.Results, a.Passes, a.Proof = true, nil, 0, nil
	a.Commit, a.Notes = e.Commit, append(a.Notes, e.Notes...)
	a.Secrets, a.Links, a.Suspects = slices.Clone(e.Secrets), slices.Clone(e.Links), slices.Clone(e.Suspects)
	a.Obeyed, a.Findings = slices.Clone(e.Obeyed), e.Findings.clone()
	s.Commit, s.GateTree, s.Differs = e.Commit, e.GateTree, e.Differs
	switch {
	case s.refused(a):
		s.giveVerdict(e.At)
	case len(s.open(s.BaseResults, true)) > 0:
		s.boundary(StepBase)
	default:
		s.boundary(StepGates)
	}
	return ""
}

// InVerification reports whether a final verification is under way. Its time is not
// the agent's: the clock of the loop stands still.
func (s *State) InVerification() bool {
	if s.Mode != AgentDriven || s.Ending != nil {
		return false
	}
	switch s.Step {
	case StepVerify, StepBase, StepProof:
		return true
	case StepGates:
		return s.Last().Verifying
	}
	return false
}

// preliminary reports whether the gates of this check run in the tree of the agent that drives
// the loop, so that it hears of a failure soon. Only hard ones do; a pass there does not
// count before the final verification.
func (s *State) preliminary() bool {
	a := s.Last()
	return s.Verify && s.Mode == AgentDriven && s.Step == StepGates && a != nil && !a.Verifying
}

// roomless returns why the result is no evidence of a final verification, or "".
func (s *State) roomless(g Gate, r Result) string {
	a := s.Last()
	if a == nil || !a.Verifying || g.IsReview() || r.Verdict != Passed || s.GatesInAgentTree {
		return ""
	}
	if r.Room == "" || r.Room == RoomTree {
		return "the final verification needs a clean room"
	}
	return ""
}

// cutCheck ends a check without a result. The agent may have changed its tree
// meanwhile, so that the next one begins anew, with the same number. What is known
// of the base stays.
func (s *State) cutCheck() {
	if a := s.Last(); a != nil && a.Verdict == "" {
		a.Results, a.Passes, a.Verifying, a.Proof = nil, 0, false, nil
	}
	s.boundary(StepAgent)
}
