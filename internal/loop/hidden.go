package loop

// A hidden gate judges by a command and files that no agent sees: an answer that is
// fitted to the visible tests does not pass it. Agents hear its name and whether it
// passed; people see everything. Detectors work with what it really printed, so that a
// loop that fails it the same way is stuck as with any other gate.

// ForAgents returns the gate as agents hear of it.
func (g Gate) ForAgents() Gate {
	if !g.Hidden {
		return g
	}
	return Gate{Name: g.Name, Kind: g.Kind, Level: g.Level, Hidden: true}
}

// ForAgents returns the result as agents hear of it: of a hidden gate the verdict, and
// nothing of what it ran, printed or measured.
func (r Result) ForAgents() Result {
	if !r.Hidden {
		return r
	}
	told := Result{
		Gate: r.Gate, Kind: r.Kind, Level: r.Level, Verdict: r.Verdict, Hidden: true, Reason: "hidden gate: it " + outcomeWords(r.Verdict),
		Commit: r.Commit, Where: r.Where, Clean: r.Clean, Room: r.Room, Sandbox: r.Sandbox, StartedAt: r.StartedAt, Duration: r.Duration,
	}
	return told
}

func outcomeWords(v Verdict) string {
	switch v {
	case Passed, Failed:
		return string(v)
	case Skipped:
		return "was skipped"
	}
	return "could not be evaluated"
}

// ForAgents returns the state as agents hear of it.
func (s State) ForAgents() State {
	s = s.clone()
	s.Gates = each(s.Gates, Gate.ForAgents)
	s.BaseResults, s.BaseAgain = each(s.BaseResults, Result.ForAgents), each(s.BaseAgain, Result.ForAgents)
	s.Recent = each(s.Recent, Attempt.ForAgents)
	if s.Tally != nil {
		s.Tally.Results = each(s.Tally.Results, Result.ForAgents)
	}
	return s
}

// HasHidden reports whether a gate of the loop is hidden.
func (s Spec) HasHidden() bool {
	for _, g := range s.Gates {
		if g.Hidden {
			return true
		}
	}
	return false
}
