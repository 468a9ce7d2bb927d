package loop

import "fmt"

// detect asks the detectors in their fixed order whether a loop that did not
// pass should stop (design §4, rule 7). None of them is ever success. An
// agent-driven loop has seed 000's rules, and repeated failure if asked for.
func (s *State) detect() *Ending {
	if s.Mode == AgentDriven {
		return first(s.stuck, s.regression, s.stalled)
	}
	return first(s.stuck, s.regression, s.noChange, s.plateau)
}

func first(detectors ...func() *Ending) *Ending {
	for _, d := range detectors {
		if end := d(); end != nil {
			return end
		}
	}
	return nil
}

// regression: a failing value fell Regression times in a row; a tie or a gap
// begins anew (seed 000). Falling from one passing value to another is none.
func (s *State) regression() *Ending {
	for _, r := range s.Last().Results {
		if falls := s.Tally.falls(r.Gate); s.Limits.Regression > 0 && falls >= s.Limits.Regression {
			return &Ending{Status: Aborted, Reason: Regression, Message: fmt.Sprintf("%s fell %d times in a row, to %.4g", r.Gate, falls, *r.Value)}
		}
	}
	return nil
}

// noChange: the agent changed nothing NoChange times running.
func (s *State) noChange() *Ending {
	n := s.Tally.Unchanged
	if s.Limits.NoChange == 0 || n < s.Limits.NoChange {
		return nil
	}
	return &Ending{Status: StatusFailed, Reason: NoChange, Message: fmt.Sprintf("the agent changed nothing in %d attempts running", n)}
}

// stalled: an agent-driven loop saw no improvement for Stall of its own time
// (seed 000). Whoever looks next records it.
func (s *State) stalled() *Ending {
	if s.Mode != AgentDriven || s.Limits.Stall <= 0 || s.Active-s.ProgressActive < s.Limits.Stall {
		return nil
	}
	return &Ending{Status: Aborted, Reason: Stalled, Message: fmt.Sprintf("no improvement for %s", s.Limits.Stall)}
}

// plateau: Plateau failing attempts running were no better than the best
// before them, where a value or failing tests are known.
func (s *State) plateau() *Ending {
	if !s.Tally.plateau(s.Limits.Plateau) {
		return nil
	}
	return &Ending{Status: StatusFailed, Reason: Plateau, Message: fmt.Sprintf("no better than before in %d attempts running", s.Limits.Plateau)}
}
