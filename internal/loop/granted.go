package loop

import "slices"

// Granted is what people permitted a loop by upholding its disputes. It holds for the task: a
// later loop of it begins with the same permission.
type Granted struct {
	// MayChange lists globs of judge files, Refuse the concerns for which work is not refused.
	MayChange []string      `json:"may_change,omitempty"`
	Refuse    []ConcernCode `json:"refuse,omitempty"`
	// Proof: no test can prove the work.
	Proof bool `json:"proof,omitempty"`
}

// Granted returns what the loop was permitted.
func (s *State) Granted() (g Granted) {
	for _, d := range s.Disputes {
		of := d.granted()
		g.MayChange, g.Refuse, g.Proof = append(g.MayChange, of.MayChange...), append(g.Refuse, of.Refuse...), g.Proof || of.Proof
	}
	return g
}

// granted is what a person permitted by the ruling of a dispute.
func (d Dispute) granted() (g Granted) {
	if d.Ruling != Upheld {
		return Granted{}
	}
	if d.OfRefusal {
		g.Refuse = []ConcernCode{ConcernCode(d.Gate)}
	}
	g.MayChange, g.Proof = d.MayChange, d.OfProof
	return g
}

// Grant returns the request with a permission.
func (s Spec) Grant(g Granted) Spec {
	s.MayChange = slices.Clone(s.MayChange)
	for _, glob := range g.MayChange {
		if !slices.Contains(s.MayChange, glob) {
			s.MayChange = append(s.MayChange, glob)
		}
	}
	s.Refuse = slices.DeleteFunc(slices.Clone(s.Refuse), func(c ConcernCode) bool { return slices.Contains(g.Refuse, c) })
	if g.Proof {
		s.Proof = s.waivedProof()
	}
	return s
}
