package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// round lists the gates to evaluate in order, given what is known: hard ones,
// then, only when all of those passed, soft ones, then reviews. All hard gates
// run even when the first fails: an attempt costs minutes, and the next prompt
// is better for knowing every failure.
func (s *State) round(have []Result, base bool) []Gate {
	hard := s.pick(func(g Gate) bool { return g.Level != Soft && g.Kind != KindReview })
	if base || !s.green(hard, have) {
		return hard
	}
	if s.confirming() {
		return hard
	}
	soft := s.pick(func(g Gate) bool { return g.Level == Soft && g.Kind != KindReview })
	reviews := s.pick(func(g Gate) bool { return g.Kind == KindReview })
	return slices.Concat(hard, soft, reviews)
}

func (s *State) pick(want func(Gate) bool) []Gate {
	var out []Gate
	for _, g := range s.Gates {
		if want(g) {
			out = append(out, g)
		}
	}
	return out
}

// green: each of the gates has a result and passed. An optional gate whose
// tool is missing was skipped and does not block; but something must pass.
func (s *State) green(gates []Gate, have []Result) bool {
	passed := 0
	for _, g := range gates {
		r := find(have, g.Name)
		switch {
		case r == nil:
			return false
		case r.Verdict == Passed:
			passed++
		case r.Verdict == Skipped && g.Optional:
		default:
			return false
		}
	}
	return passed > 0 || len(gates) == 0
}

func find(have []Result, name string) *Result {
	for i := range have {
		if have[i].Gate == name {
			return &have[i]
		}
	}
	return nil
}

func (s *State) takeGate(e GateEnded) string {
	r := e.Result
	g, known := s.Gate(r.Gate)
	if !known {
		return fmt.Sprintf("gate %q is not one of the loop's", r.Gate)
	}
	r.Kind, r.Level = g.Kind, g.Level
	switch s.Step {
	case StepBase:
		return s.takeBaseGate(g, r, e.At)
	case StepGates:
		return s.takeAttemptGate(r, e.At)
	}
	return "no gate is being evaluated"
}

func (s *State) takeBaseGate(g Gate, r Result, at time.Time) string {
	if find(s.BaseResults, r.Gate) != nil {
		return "this gate has its result"
	}
	s.BaseResults = append(s.BaseResults, r)
	if r.CannotStart && !g.Optional {
		s.conclude(at, StatusFailed, SetupError, fmt.Sprintf("gate %s cannot start: %s", g.Name, r.Reason))
		return ""
	}
	hard := s.round(nil, true)
	if len(s.BaseResults) < len(hard) {
		s.boundary(StepBase)
		return ""
	}
	s.BaseGreen = s.green(hard, s.BaseResults)
	if s.BaseGreen && s.Until && !s.Force {
		s.conclude(at, StatusPassed, AlreadyGreen, "every gate already passes on the commit the work would start from")
		return ""
	}
	s.boundary(StepAgent)
	return ""
}

func (s *State) takeAttemptGate(r Result, at time.Time) string {
	a := s.Last()
	switch {
	case find(a.Results, r.Gate) != nil:
		return "this gate has its result"
	case a.Commit != "" && r.Commit != a.Commit:
		return fmt.Sprintf("the result is about %s, the attempt about %s", r.Commit, a.Commit)
	case a.Commit == "" && r.Tree != a.Tree:
		return "the result is about another tree"
	}
	a.Results = append(a.Results, r)
	if len(a.Results) < len(s.round(a.Results, false)) {
		s.boundary(StepGates)
		return ""
	}
	s.judge(at)
	return ""
}

// judge decides after a complete round of gates (design §4, rules 6 to 8).
func (s *State) judge(at time.Time) {
	a := s.Last()
	if s.allPassed(a) {
		a.Passes++
		if a.Passes < s.Limits.ConfirmPasses {
			a.Results = nil
			s.boundary(StepGates)
			return
		}
		if !s.BaseGreen || s.Differs || s.Mode == AgentDriven {
			a.Verdict, a.EndedAt = Passed, at
			s.conclude(at, StatusPassed, Green, "every hard gate passed on one commit")
			return
		}
	}
	s.fail(a, at)
	if end := s.detect(); end != nil {
		s.conclude(at, end.Status, end.Reason, end.Message)
		return
	}
	if s.Iteration >= s.Limits.MaxIterations {
		s.conclude(at, StatusFailed, MaxAttempts, fmt.Sprintf("%d of %d attempts used; last: %s", s.Iteration, s.Limits.MaxIterations, a.Error))
		return
	}
	s.boundary(StepAgent)
}

// confirming: this round is not the last of the passes that must follow each
// other, so neither soft gates nor reviews are asked yet.
func (s *State) confirming() bool {
	a := s.Last()
	return s.Step == StepGates && a != nil && a.Passes+1 < s.Limits.ConfirmPasses
}

func (s *State) allPassed(a *Attempt) bool {
	reviews := !s.confirming()
	return s.green(s.pick(func(g Gate) bool { return g.Level != Soft && (reviews || g.Kind != KindReview) }), a.Results)
}

// fail closes an attempt that did not pass and names its failure.
func (s *State) fail(a *Attempt, at time.Time) {
	a.Verdict, a.EndedAt = Failed, at
	var parts []string
	for _, r := range a.Results {
		g, _ := s.Gate(r.Gate)
		if r.Level == Soft || r.Verdict == Passed || (r.Verdict == Skipped && g.Optional) {
			continue
		}
		if a.FailedGate == "" {
			a.FailedGate, a.Error = r.Gate, r.Reason
		}
		parts = append(parts, r.Gate+"="+fingerprintOf(r))
	}
	if len(parts) == 0 {
		a.FailedGate, a.Error = "change", "the gates were green before, and the work changes nothing"
		parts = append(parts, "change")
	}
	slices.Sort(parts)
	a.Fingerprint = short(strings.Join(parts, "\n"))
	if len(parts) == 1 && !strings.HasPrefix(parts[0], "change") {
		a.Fingerprint = strings.SplitN(parts[0], "=", 2)[1]
	}
	if s.Mode == AgentDriven && s.improved() {
		s.ProgressAt = at
	}
}

// fingerprintOf falls back on the verdict where a gate left no fingerprint.
func fingerprintOf(r Result) string {
	if r.Fingerprint != "" {
		return r.Fingerprint
	}
	return short(string(r.Verdict) + " " + r.Reason)
}

func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
