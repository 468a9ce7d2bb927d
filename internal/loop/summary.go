package loop

import "time"

// MainGate is the gate a one-line report is about: the first hard one with a
// number to reach, else the first hard one.
func (s *State) MainGate() (name string, threshold *float64) {
	for _, g := range s.Gates {
		if g.Level == Soft {
			continue
		}
		if g.Threshold != nil || g.Baseline || g.Kind == KindCoverage {
			return g.Name, g.Threshold
		}
		if name == "" {
			name = g.Name
		}
	}
	return name, nil
}

// Value is the value of an attempt in a gate; nil is unknown.
func (a *Attempt) Value(gate string) *float64 {
	if r := ResultOf(a.Results, gate); r != nil {
		return r.Value
	}
	return nil
}

// Checked is one judged attempt with the field names of seed 000.
type Checked struct {
	Iter   int       `json:"iter"`
	Value  *float64  `json:"value"`
	Passed bool      `json:"passed"`
	At     time.Time `json:"at"`
}

// checks lists the judged attempts, with their values in a gate.
func checks(attempts []Attempt, gate string) []Checked {
	out := []Checked{}
	for i := range attempts {
		if a := &attempts[i]; a.Verdict != "" {
			out = append(out, Checked{a.N, a.Value(gate), a.Verdict == Passed, a.EndedAt.UTC()})
		}
	}
	return out
}

// Summary describes a loop with the field names of seed 000, which its state file
// and every output about an agent-driven loop begin with.
type Summary struct {
	LoopID      string    `json:"loop_id"`
	AgentType   string    `json:"agent_type"`
	Parent      *string   `json:"parent_orchestration"`
	QualityGate string    `json:"quality_gate"`
	Threshold   *float64  `json:"threshold"`
	Iteration   int       `json:"iteration"`
	Max         int       `json:"max_iterations"`
	Value       *float64  `json:"current_value"`
	Status      Status    `json:"status"`
	Regressions int       `json:"regression_count"`
	StartedAt   time.Time `json:"started_at"`
	ProgressAt  time.Time `json:"last_progress_at"`
	Events      []Checked `json:"events"`
}

// Summary of the loop with all of its attempts; status is the one to show, since a
// crash is found by looking.
func (s *State) Summary(status Status, attempts []Attempt) Summary {
	gate, threshold := s.MainGate()
	st := Summary{
		LoopID: s.ID, AgentType: s.Agent.Name, QualityGate: gate, Threshold: threshold,
		Iteration: s.Iteration, Max: s.Limits.MaxIterations, Status: status, Regressions: s.Falls(gate),
		StartedAt: s.StartedAt.UTC(), ProgressAt: s.ProgressAt.UTC(), Events: checks(attempts, gate),
	}
	if s.Parent != "" {
		st.Parent = new(s.Parent)
	}
	if n := len(st.Events); n > 0 {
		st.Value = st.Events[n-1].Value
	}
	return st
}
