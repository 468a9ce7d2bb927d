package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// giveVerdict gives the attempt its verdict after a complete round of gates, and decides
// what follows: passed, stopped by a detector, out of attempts, or another attempt.
func (s *State) giveVerdict(at time.Time) {
	a := s.Last()
	var refused []Concern
	if s.allPassed(a) {
		if refused = s.refusals(a); len(refused) == 0 {
			s.pass(a, at)
			return
		}
	}
	s.fail(a, refused, at)
	if end := s.detect(); end != nil {
		s.conclude(at, end.Status, end.Reason, end.Message)
		return
	}
	if red := s.Tally.Red; s.Limits.Fixes > 0 && red > s.Limits.Fixes {
		s.conclude(at, StatusFailed, MaxAttempts, fmt.Sprintf("red after %d of %d fixes; last: %s", red-1, s.Limits.Fixes, a.Error))
		return
	}
	if s.Iteration >= s.Limits.MaxIterations {
		s.conclude(at, StatusFailed, MaxAttempts, fmt.Sprintf("%d of %d attempts used; last: %s", s.Iteration, s.Limits.MaxIterations, a.Error))
		return
	}
	s.boundary(StepAgent)
}

// pass ends the loop, or asks for one more of the passes that must follow each
// other. What passed in the agent's tree is verified first.
func (s *State) pass(a *Attempt, at time.Time) {
	if s.preliminary() {
		s.boundary(StepVerify)
		return
	}
	a.Passes++
	if a.Passes < s.Limits.ConfirmPasses {
		a.Results = slices.DeleteFunc(a.Results, func(r Result) bool { return r.Judges == nil })
		s.boundary(StepGates)
		return
	}
	tally := s.tally()
	a.Verdict, a.EndedAt = Passed, at
	if s.OwesProof() && !a.Proof.Shown() {
		a.Proof.Review = s.approved(a)
	}
	tally.add(*a, false, s.Limits.Plateau)
	s.Tally = &tally
	on := "on one commit"
	if s.Mode == AgentDriven {
		on = "on one tree"
	}
	s.conclude(at, StatusPassed, Green, "every hard gate passed "+on+s.proofWords(a)+s.softWords())
}

// softWords names the soft gates that did not pass, for the verdict; "" where all
// did.
func (s *State) softWords() string {
	names := s.SoftFailures()
	if len(names) == 0 {
		return ""
	}
	const most = 5
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return "; " + strings.Join(names, ", ") + " (soft) did not pass"
}

// confirming: this round is not the last of the passes that must follow each
// other, or it is only the agent's own, so neither soft gates nor reviews are asked yet. Where there are only
// reviews, it is they that are asked again.
func (s *State) confirming() bool {
	a := s.Last()
	return s.Step == StepGates && a != nil && (a.Passes+1 < s.Limits.ConfirmPasses || s.preliminary()) && len(s.hard()) > 0
}

// FailedChange is the FailedGate of an attempt whose gates were green before it, and
// which changed nothing.
const FailedChange = "change"

// vacuous: the gates were green before the work, and the work changes nothing,
// so that green gates prove nothing. It is not reviewed either.
func (s *State) vacuous() bool {
	return s.BaseGreen && !s.Differs && s.Mode != AgentDriven
}

func (s *State) allPassed(a *Attempt) bool {
	switch {
	case s.refused(a), s.vacuous(), s.unshown():
		return false
	case s.confirming():
		return unblocked(s.hard(), a.Results)
	}
	return green(s.pick(func(g Gate) bool { return g.Level != Soft }), a.Results) && s.proven(a)
}

// fail closes an attempt that did not pass and names its failure. refused are the concerns for
// which work is refused that passed all else.
func (s *State) fail(a *Attempt, refused []Concern, at time.Time) {
	tally := s.tally()
	a.Verdict, a.EndedAt = Failed, at
	blocking := s.blocking(a.Results)
	switch {
	case len(refused) > 0:
		a.refuse(refused)
	case s.leaks(a):
		a.FailedGate, a.Error, a.Fingerprint = failedSecrets, s.leakWords(a), short(failedSecrets)
	case len(a.Links) > 0:
		a.FailedGate, a.Error, a.Fingerprint = failedLinks, linkWords(a), short(failedLinks)
	case len(blocking) > 0:
		a.FailedGate, a.Error = blocking[0].Gate, reasonOf(blocking[0])
		a.Fingerprint, a.Detail = fingerprintOf(blocking), detailOf(blocking)
	case s.OwesProof() && a.Proof != nil && !a.Proof.Shown():
		a.FailedGate, a.Error, a.Fingerprint = FailedProof, s.failure(a.Proof), short(FailedProof)
	default:
		a.FailedGate, a.Error, a.Fingerprint = FailedChange, "the gates were green before, and the work changes nothing", short("change")
	}
	if tally.improved(*a) {
		s.ProgressAt, s.ProgressActive = at, s.Active
	}
	tally.add(*a, len(blocking) > 0, s.Limits.Plateau)
	s.Tally = &tally
}

// Blocking returns the results that keep the newest attempt from passing.
func (s *State) Blocking() []Result {
	if a := s.Last(); a != nil {
		return s.blocking(a.Results)
	}
	return nil
}

// blocking results are those that keep an attempt from passing.
func (s *State) blocking(have []Result) []Result {
	return slices.DeleteFunc(slices.Clone(have), func(r Result) bool {
		g, _ := s.Gate(r.Gate)
		return r.Level == Soft || !g.BlockedBy(r)
	})
}

func reasonOf(r Result) string {
	if r.Hidden {
		return fmt.Sprintf("hidden gate %s %s", r.Gate, outcomeWords(r.Verdict))
	}
	if r.Reason != "" {
		return r.Reason
	}
	return fmt.Sprintf("gate %s: %s", r.Gate, r.Verdict)
}

// fingerprintOf a failure is the gate's own where one gate failed, else a hash
// over all of them. A gate that left none is identified by its verdict and reason.
func fingerprintOf(blocking []Result) string {
	var parts []string
	for _, r := range blocking {
		hash := r.Fingerprint
		if hash == "" {
			hash = short(strings.Join([]string{r.Gate, string(r.Verdict), r.Reason}, "\n"))
		}
		if len(blocking) == 1 {
			return hash
		}
		parts = append(parts, r.Gate+"="+hash)
	}
	slices.Sort(parts)
	return short(strings.Join(parts, "\n"))
}

// detailOf a failure is a hash over what the failed tests of all gates print; ""
// where the fingerprint says it all.
func detailOf(blocking []Result) string {
	var parts []string
	for _, r := range blocking {
		if r.Detail != "" {
			parts = append(parts, r.Gate+"="+r.Detail)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return short(strings.Join(parts, "\n"))
}

func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
