package loop

// Created opens the record of a loop: it is the first event, and says what the loop
// begins with. The fields are those that readers of the event log expect of "init".
type Created struct {
	Stamp
	Agent string `json:"agent,omitempty"`
	// Gate is the main gate, Threshold the value that it needs.
	Gate          string   `json:"gate,omitempty"`
	Threshold     *float64 `json:"threshold,omitempty"`
	MaxIterations int      `json:"max_iterations"`
	// ForcedOver is how many loops ran when this one was started with --force, Paths the
	// communication paths between all of them.
	ForcedOver int `json:"forced_over,omitempty"`
	Paths      int `json:"communication_paths,omitempty"`
	// From is where the loop was imported from.
	From string `json:"imported_from,omitempty"`
}

func (Created) Name() string { return "created" }

func (e Created) apply(s *State) string {
	if s.Iteration > 0 || s.Status != Pending && s.Mode != AgentDriven {
		return "the loop exists"
	}
	return ""
}

// Creation returns the first event of a loop that is recorded as s. from is where it was
// imported from; a new loop has none.
func (s *State) Creation(from string) Created {
	e := Created{Stamp: Stamp{At: s.StartedAt}, Agent: s.Agent.Name, MaxIterations: s.Limits.MaxIterations, From: from}
	e.Gate, e.Threshold = s.MainGate()
	if s.ForcedOver > 0 {
		e.ForcedOver, e.Paths = s.ForcedOver, Paths(s.ForcedOver+1)
	}
	return e
}
