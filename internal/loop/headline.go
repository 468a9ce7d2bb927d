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

// Value is what an attempt reached in a gate; nil is unknown.
func (a *Attempt) Value(gate string) *float64 {
	if r := find(a.Results, gate); r != nil {
		return r.Value
	}
	return nil
}

// Checked is one judged attempt in seed 000's words.
type Checked struct {
	Iter   int       `json:"iter"`
	Value  *float64  `json:"value"`
	Passed bool      `json:"passed"`
	At     time.Time `json:"at"`
}

// Checks lists the judged attempts, with what they reached in a gate.
func (s *State) Checks(gate string) []Checked {
	out := []Checked{}
	for i := range s.Attempts {
		if a := &s.Attempts[i]; a.Verdict != "" {
			out = append(out, Checked{a.N, a.Value(gate), a.Verdict == Passed, a.EndedAt.UTC()})
		}
	}
	return out
}

// Falls counts how often running a failing value of a gate fell, up to the
// newest judged attempt; as the regression detector counts.
func (s *State) Falls(gate string) int {
	judged := *s
	if a := s.Last(); a != nil && a.Verdict == "" {
		judged.Attempts = s.Attempts[:len(s.Attempts)-1]
	}
	return judged.falls(gate)
}
