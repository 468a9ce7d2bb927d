package loop

// NextCommand is what a person would type now, with the id filled in. It is
// empty while the loop runs by itself.
func (s *State) NextCommand() string {
	if s.Reason == Imported {
		return "ralph show " + s.ID
	}
	if s.InPlan() {
		return s.nextInPlan()
	}
	switch s.Status {
	case StatusPassed:
		if s.Mode == AgentDriven {
			return "ralph archive " + s.ID
		}
		if s.Reason == AlreadyGreen {
			return "ralph run … --force"
		}
		if s.Accepted != "" {
			return "ralph archive " + s.ID
		}
		return "ralph accept " + s.ID
	case StatusFailed, Aborted:
		return s.afterFailure()
	case Paused, Pending:
		if s.Reason == Budget && s.SpentLevel != SessionLevel {
			return "ralph resume " + s.ID + " --budget …"
		}
		return "ralph resume " + s.ID
	case Waiting:
		if s.Reason == ForHuman {
			return "ralph answer " + s.ID + " \"…\""
		}
		if s.Reason == ForLoop {
			return "ralph status"
		}
		if s.Reason == Budget {
			return "ralph status"
		}
		return "ralph resume " + s.ID + " --now"
	}
	return ""
}

func (s *State) afterFailure() string {
	switch s.Reason {
	case SetupError:
		return "ralph doctor"
	case AgentError:
		return "ralph logs " + s.ID
	case Budget:
		if s.SpentLevel == SessionLevel {
			return "ralph retry " + s.ID
		}
		return "ralph retry " + s.ID + " --budget …"
	case Manual:
		if s.Mode == AgentDriven {
			return "ralph archive " + s.ID
		}
		return "ralph retry " + s.ID
	}
	return "ralph show " + s.ID + " --evidence"
}

// InPlan says whether the loop is the work on a task of a plan's run, which
// looks after it: Parent is the plan, what passed goes home with it, and what
// stopped is taken up with it.
func (s *State) InPlan() bool { return s.Parent != "" && s.Task.Plan != nil }

func (s *State) nextInPlan() string {
	switch {
	case s.Status == Waiting && s.Reason == ForHuman:
		return "ralph answer " + s.ID + " \"…\""
	case s.Status == Paused && s.Reason == Budget && s.SpentLevel != SessionLevel:
		return "ralph resume " + s.Parent + " --budget …"
	case s.Status == Paused:
		return "ralph resume " + s.Parent
	case s.Status == StatusFailed, s.Status == Aborted:
		return "ralph show " + s.ID + " --evidence"
	case s.Status == Running:
		return ""
	}
	return "ralph show " + s.Parent
}
