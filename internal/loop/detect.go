package loop

import "fmt"

// detect asks the detectors in their fixed order whether a loop that did not
// pass should stop. None of them is ever success. An
// agent-driven loop has seed 000's rules, and repeated failure if asked for.
func (s *State) detect() *Ending {
	if s.Mode == AgentDriven {
		return first(s.stuck, s.regression, s.stalled)
	}
	return first(s.stuck, s.regression, s.agentFails, s.noChange, s.plateau)
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
	return &Ending{Status: StatusFailed, Reason: NoChange, Message: fmt.Sprintf("the agent changed nothing in %d attempts in a row", n) + s.lastError()}
}

// lastError ends a message about attempts with what the last one met.
func (s *State) lastError() string {
	if e := s.Last().Error; e != "" {
		return "; last: " + e
	}
	return ""
}

// stalled: an agent-driven loop saw no improvement for Stall of its own time
// (seed 000). The next look at the loop records it.
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
	return &Ending{Status: StatusFailed, Reason: Plateau, Message: fmt.Sprintf("no better than before in %d attempts in a row", s.Limits.Plateau)}
}

// Escalation (seed 004). The same failure StuckAfter times running:
//
//	tier 1  strategy shift: the failed approach is forbidden, at most MaxShifts times
//	tier 2  context expansion, where information seems to be missing; it joins
//	        the last shift, so that it happens within 5 attempts
//	tier 3  hard stop
//
// Another failure, or the same with fewer failing tests, is progress: it is
// counted, and escalated, from its own beginning.

// Streak lists the newest of the attempts that failed alike, oldest first. One
// that is still under way does not count.
func Streak(attempts []Attempt) []Attempt {
	n := len(attempts)
	if n > 0 && attempts[n-1].Verdict == "" {
		n--
	}
	if n == 0 || attempts[n-1].Verdict == Passed {
		return nil
	}
	i := n - 1
	for i > 0 && alike(attempts[i], attempts[i-1]) {
		i--
	}
	return attempts[i:n]
}

// alike: an attempt without a fingerprint was another runner's, and nothing is
// known of its failure.
func alike(now, before Attempt) bool {
	if now.Fingerprint == "" || before.Fingerprint != now.Fingerprint {
		return false
	}
	fewer, _ := fewerTests(now.score(), before.score())
	return !fewer
}

// approach of the next attempt. One that could be the last without a change is a
// shift too: the agent hears once that its approach does not work.
func (s *State) approach() Approach {
	t := s.tally()
	if t.Repeats == 0 || s.Mode == AgentDriven {
		return Approach{}
	}
	stuck := t.Repeats >= s.Limits.StuckAfter
	idle := t.Unchanged > 0 && t.Unchanged == s.Limits.NoChange-1
	return Approach{
		Shift:  (stuck || idle) && t.Shifts < s.Limits.MaxShifts,
		Expand: stuck && len(s.MissingInfo()) > 0 && !t.Expanded && t.Shifts+1 >= s.Limits.MaxShifts,
	}
}

// stuck is tier 3: the escalation is used up. The agent of an agent-driven
// loop cannot be made to shift, so there it comes at once, if asked for.
func (s *State) stuck() *Ending {
	t := s.Tally
	if t.Repeats < s.Limits.StuckAfter || s.Mode == AgentDriven && !s.StopOnStuck {
		return nil
	}
	if s.approach() != (Approach{}) {
		return nil
	}
	return &Ending{Status: StatusFailed, Reason: Stuck, Message: fmt.Sprintf("the same failure %d times in a row, %s: %s",
		t.Repeats, shiftWords(t.Shifts), s.Last().Error)}
}

func shiftWords(n int) string {
	switch n {
	case 0:
		return "without a shift of strategy"
	case 1:
		return "also after a shift of strategy"
	}
	return fmt.Sprintf("also after %d shifts of strategy", n)
}

// MissingInfo lists the files and symbols that the last failure lacks, as far as agents
// may hear of it.
func (s *State) MissingInfo() []string {
	var out []string
	if a := s.Last(); a != nil {
		for _, r := range a.Results {
			if r.Level != Soft && !r.Hidden {
				out = append(out, r.Missing...)
			}
		}
	}
	return out
}
