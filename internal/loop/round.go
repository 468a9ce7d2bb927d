package loop

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// round lists the gates to evaluate in order, given what is known: hard ones,
// then, only when all of those passed, soft ones, then reviews; where only judge files
// are in the way, the review of these. All hard gates
// run even when the first fails: an attempt costs minutes, and the next prompt
// is better for knowing every failure. On the base the hard ones run, and soft
// ones that need to know their value there.
func (s *State) round(have []Result, base bool) []Gate {
	hard := s.hard()
	if base {
		return slices.Concat(hard, s.pick(func(g Gate) bool { return g.Level == Soft && g.Baseline }))
	}
	if s.vacuous() || s.confirming() || s.unshown() || !unblocked(hard, have) {
		return slices.Concat(hard, s.judgesReview(have))
	}
	soft := s.pick(func(g Gate) bool { return g.Level == Soft && !g.IsReview() })
	return slices.Concat(hard, soft, s.otherReviews(have))
}

// otherReviews are the reviews but that of judge files, in their order, and then the
// gates that ask a person, up to the first that blocks.
func (s *State) otherReviews(have []Result) (out []Gate) {
	reviews := s.pick(func(g Gate) bool { return g.Kind == KindReview && !g.IsJudgesReview() })
	people := s.pick(func(g Gate) bool { return g.Kind == KindHuman })
	for _, g := range slices.Concat(reviews, people) {
		out = append(out, g)
		if r := ResultOf(have, g.Name); g.Level != Soft && (r == nil || g.BlockedBy(*r)) {
			return out
		}
	}
	return out
}

// open lists the gates of the round that have no result yet.
func (s *State) open(have []Result, base bool) []Gate {
	return slices.DeleteFunc(s.round(have, base), func(g Gate) bool { return ResultOf(have, g.Name) != nil })
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

// hard gates that ralph runs itself, in order.
func (s *State) hard() []Gate {
	return s.pick(func(g Gate) bool { return g.Level != Soft && !g.IsReview() })
}

// unblocked: each of the gates has a result, and none of them blocks. An
// optional gate whose tool is missing was skipped and does not block.
func unblocked(gates []Gate, have []Result) bool {
	for _, g := range gates {
		if r := ResultOf(have, g.Name); r == nil || g.BlockedBy(*r) {
			return false
		}
	}
	return true
}

// BlockedBy reports whether a result of the gate keeps work from passing, whatever its level.
func (g Gate) BlockedBy(r Result) bool {
	return r.Verdict != Passed && (r.Verdict != Skipped || !g.Optional)
}

// green: none of the gates blocks, and something passed.
func green(gates []Gate, have []Result) bool {
	return unblocked(gates, have) && slices.ContainsFunc(gates, func(g Gate) bool {
		return ResultOf(have, g.Name).Verdict == Passed
	})
}

// ResultOf returns the result of a gate among those of a round; nil is none.
func ResultOf(have []Result, name string) *Result {
	for i := range have {
		if have[i].Gate == name {
			return &have[i]
		}
	}
	return nil
}

// GateEnded: one gate was evaluated, on the base or on the attempt.
type GateEnded struct {
	Stamp
	Result Result `json:"result"`
}

func (GateEnded) Name() string { return "gate_ended" }

// Describe names the gate and its verdict.
func (e GateEnded) Describe() string {
	return because(e.Result.Gate, because(string(e.Result.Verdict), e.Result.Reason))
}

func (e GateEnded) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	r := e.Result.clone()
	g, known := s.Gate(r.Gate)
	switch {
	case !known:
		return fmt.Sprintf("gate %q is not one of the loop's", r.Gate)
	case r.Value != nil && (math.IsNaN(*r.Value) || math.IsInf(*r.Value, 0)):
		return "the value is not a number"
	}
	r.Kind, r.Level, r.Excerpt = g.Kind, g.Level, cutMiddle(r.Excerpt, excerptBytes)
	switch s.Step {
	case StepBase:
		return s.takeBaseGate(g, r, e.At)
	case StepGates:
		return s.takeAttemptGate(g, r, e.At)
	case StepProof:
		return s.takeAgain(r, e.At)
	}
	return "no gate is being evaluated"
}

// ToolMissing reports whether the loop ended before its first attempt because the
// program of a gate cannot start.
func (s State) ToolMissing() bool {
	n := len(s.BaseResults)
	return s.Status == StatusFailed && s.Reason == SetupError && n > 0 && s.BaseResults[n-1].CannotStart
}

func (s *State) takeBaseGate(g Gate, r Result, at time.Time) string {
	if why := s.expects(r, s.BaseResults, true); why != "" {
		return why
	}
	if r.Commit != s.Base {
		return fmt.Sprintf("the result is about %q, the base is %q", r.Commit, s.Base)
	}
	s.BaseResults, s.Retries, s.Crashes = append(s.BaseResults, r), 0, 0
	// The agent of an agent-driven loop may have added the program meanwhile.
	if r.CannotStart && g.Level != Soft && !g.Optional && s.Mode != AgentDriven {
		s.conclude(at, StatusFailed, SetupError, fmt.Sprintf("gate %s cannot start: %s; install it, or let isolation.setup do so", g.Name, r.Reason))
		return ""
	}
	if len(s.open(s.BaseResults, true)) > 0 {
		s.boundary(StepBase)
		return ""
	}
	s.BaseGreen = green(s.hard(), s.BaseResults)
	if s.BaseGreen && s.StopIfGreen && !s.Force && s.Mode != AgentDriven {
		s.conclude(at, StatusPassed, AlreadyGreen, "every gate already passes on the commit the work would start from")
		return ""
	}
	switch {
	case s.neverRed():
		s.conclude(at, StatusFailed, SetupError, s.neverRedWords())
	case s.Mode == AgentDriven:
		s.boundary(StepGates)
	default:
		s.boundary(StepAgent)
	}
	return ""
}

func (s *State) takeAttemptGate(g Gate, r Result, at time.Time) string {
	a := s.Last()
	if why := s.expects(r, a.Results, false); why != "" {
		return why
	}
	switch {
	case a.Commit != "" && r.Commit != a.Commit:
		return fmt.Sprintf("the result is about %q, the attempt about %q", r.Commit, a.Commit)
	case s.Mode == AgentDriven && a.Tree != "" && r.Tree != a.Tree:
		return "the result is about another tree"
	}
	if why := s.roomless(g, r); why != "" {
		return why
	}
	a.Results, s.Retries, s.TryNow = append(a.Results, r), 0, false
	s.consulted(r.Spent)
	if g.IsJudgesReview() {
		a.Results = s.reopen(a.Results, r)
	}
	if s.prove(a) {
		return ""
	}
	if len(s.open(a.Results, false)) > 0 {
		s.boundary(StepGates)
		return ""
	}
	s.giveVerdict(at)
	return ""
}

// expects returns the reason why no result of this gate is expected now, or "".
func (s *State) expects(r Result, have []Result, base bool) string {
	if ResultOf(have, r.Gate) != nil {
		return "this gate has its result"
	}
	if !slices.ContainsFunc(s.open(have, base), func(g Gate) bool { return g.Name == r.Gate }) {
		return fmt.Sprintf("gate %q is not to be evaluated now", r.Gate)
	}
	return ""
}
