package loop

import "fmt"

// detect asks the detectors in their fixed order whether a loop that did not
// pass should stop (design §4, rule 7). None of them is ever success.
func (s *State) detect() *Ending {
	if s.Mode == AgentDriven {
		return first(s.stuck, s.regression)
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

// streak lists the newest attempts, oldest first, that failed alike. Fewer
// failing tests with the same fingerprint are progress and begin a new streak.
func (s *State) streak() []Attempt {
	n := len(s.Attempts)
	i := n - 1
	for i > 0 && s.Attempts[i-1].Fingerprint == s.Attempts[n-1].Fingerprint &&
		!fewerFailing(s.Attempts[i], s.Attempts[i-1]) {
		i--
	}
	return s.Attempts[max(i, 0):]
}

func fewerFailing(now, before Attempt) bool {
	a, b := now.failing(), before.failing()
	return a >= 0 && b >= 0 && a < b
}

// failing sums the failing tests of hard gates; -1 is unknown.
func (a Attempt) failing() int {
	sum := -1
	for _, r := range a.Results {
		if r.Level != Soft && r.Tests != nil {
			sum = max(sum, 0) + r.Tests.Failed
		}
	}
	return sum
}

// escalation of a streak: how often it has shifted, and whether the context
// was expanded.
func escalation(streak []Attempt) (shifts int, expanded bool) {
	for _, a := range streak {
		if a.Approach.Shift {
			shifts++
		}
		expanded = expanded || a.Approach.Expand
	}
	return shifts, expanded
}

// approach of the next attempt: after StuckAfter equal failures the prompt
// forbids what failed, MaxShifts times; where information seems to be missing
// the last of these also brings it (seed 004's tiers 1 and 2).
func (s *State) approach() Approach {
	streak := s.streak()
	if len(streak) == 0 || len(streak) < s.Limits.StuckAfter {
		return Approach{}
	}
	shifts, expanded := escalation(streak)
	missing := len(s.MissingInfo()) > 0
	return Approach{
		Shift:  shifts < s.Limits.MaxShifts || missing && !expanded,
		Expand: missing && shifts+1 >= s.Limits.MaxShifts,
	}
}

// stuck is tier 3: the escalation is used up.
func (s *State) stuck() *Ending {
	streak := s.streak()
	if len(streak) < s.Limits.StuckAfter || s.Mode == AgentDriven && !s.StopOnStuck {
		return nil
	}
	shifts, expanded := escalation(streak)
	wants := len(s.MissingInfo()) > 0 && !expanded
	if s.Mode == Supervised && (shifts < s.Limits.MaxShifts || wants) {
		return nil
	}
	return &Ending{StatusFailed, Stuck, fmt.Sprintf("the same failure %d times running, %s: %s",
		len(streak), shiftWords(shifts), s.Last().Error)}
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

// MissingInfo lists the files and symbols that the last failure lacks.
func (s *State) MissingInfo() []string {
	var out []string
	if a := s.Last(); a != nil {
		for _, r := range a.Results {
			if r.Level != Soft {
				out = append(out, r.Missing...)
			}
		}
	}
	return out
}

// regression: a failing value fell Regression times in a row; a tie or a gap
// begins anew (seed 000).
func (s *State) regression() *Ending {
	for _, r := range s.Last().Results {
		if r.Level == Soft || r.Verdict == Passed || r.Value == nil {
			continue
		}
		if falls := s.falls(r.Gate); s.Limits.Regression > 0 && falls >= s.Limits.Regression {
			return &Ending{Aborted, Regression, fmt.Sprintf("%s fell %d times in a row, to %.4g", r.Gate, falls, *r.Value)}
		}
	}
	return nil
}

func (s *State) falls(gate string) int {
	n := 0
	for i := len(s.Attempts) - 1; i > 0; i-- {
		now, before := value(s.Attempts[i], gate), value(s.Attempts[i-1], gate)
		if now == nil || before == nil || *now >= *before {
			break
		}
		n++
	}
	return n
}

func value(a Attempt, gate string) *float64 {
	if r := find(a.Results, gate); r != nil && r.Level != Soft {
		return r.Value
	}
	return nil
}

// noChange: the agent changed nothing NoChange times running.
func (s *State) noChange() *Ending {
	n := 0
	for i := len(s.Attempts) - 1; i >= 0 && !s.Attempts[i].Changed; i-- {
		n++
	}
	if s.Limits.NoChange == 0 || n < s.Limits.NoChange {
		return nil
	}
	return &Ending{StatusFailed, NoChange, fmt.Sprintf("the agent changed nothing in %d attempts running", n)}
}

// plateau: Plateau failing attempts running were no better than the best
// before them, where a value or failing tests are known.
func (s *State) plateau() *Ending {
	n := len(s.Attempts)
	if s.Limits.Plateau == 0 || n <= s.Limits.Plateau {
		return nil
	}
	if s.flat(n - s.Limits.Plateau) {
		return &Ending{StatusFailed, Plateau, fmt.Sprintf("no better than before in %d attempts running", s.Limits.Plateau)}
	}
	return nil
}

// flat: none of the attempts from split on is better than all before it, and
// all of them can be compared.
func (s *State) flat(split int) bool {
	for _, now := range s.Attempts[split:] {
		best := true
		for _, before := range s.Attempts[:split] {
			better, known := s.better(now, before)
			if !known {
				return false
			}
			best = best && better
		}
		if best {
			return false
		}
	}
	return true
}

// better compares by failing tests and by the value of the failing gate.
func (s *State) better(now, before Attempt) (better, known bool) {
	fewer, counted := fewerTests(now, before)
	higher, measured := s.betterValue(now, before)
	return fewer || higher, counted || measured
}

func fewerTests(now, before Attempt) (bool, bool) {
	a, b := now.failing(), before.failing()
	return a < b, a >= 0 && b >= 0
}

func (s *State) betterValue(now, before Attempt) (bool, bool) {
	gate := s.Last().FailedGate
	a, b := value(now, gate), value(before, gate)
	if a == nil || b == nil {
		return false, false
	}
	return *a > *b, true
}

// improved: the newest attempt is better than the one before (agent-driven
// loops stall without it). The first is always progress.
func (s *State) improved() bool {
	n := len(s.Attempts)
	if n < 2 {
		return true
	}
	now, before := s.Attempts[n-1], s.Attempts[n-2]
	if better, known := s.betterValue(now, before); known {
		return better
	}
	return fewerFailing(now, before) || now.Fingerprint != before.Fingerprint
}
