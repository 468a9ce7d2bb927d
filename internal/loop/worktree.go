package loop

func (s *State) takePrepared(e Prepared) string {
	if s.Step != StepSetup {
		return "already prepared"
	}
	s.Worktree, s.GateTree = e.Worktree, e.GateTree
	if e.Base != "" {
		s.Base = e.Base
	}
	s.Retries = 0
	if len(s.round(nil, true)) == 0 {
		s.boundary(StepAgent)
		return ""
	}
	s.boundary(StepBase)
	return ""
}

// takeCommitted starts the gates. In an agent-driven loop it also begins the
// attempt: the agent has worked, and now asks for a check.
func (s *State) takeCommitted(e Committed) string {
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
	s.Commit, s.Differs, s.Retries = e.Commit, e.Differs, 0
	s.boundary(StepGates)
	return ""
}

// takeWorkFailed: what may pass is tried again, anything else ends the loop
// with the reason of its step.
func (s *State) takeWorkFailed(e WorkFailed) string {
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
	switch s.Step {
	case StepSetup:
		s.conclude(e.At, StatusFailed, SetupError, e.Message)
	case StepAgent:
		s.conclude(e.At, StatusFailed, AgentError, e.Message)
	case StepBase, StepGates:
		s.conclude(e.At, StatusFailed, GateError, e.Message)
	case StepKeep:
		s.notKept(e.At, e.Message)
	case StepTidy:
		s.finish(e.At)
	default:
		s.conclude(e.At, StatusFailed, GitError, e.Message)
	}
	return ""
}
