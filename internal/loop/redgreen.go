package loop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Proved: the gates ran without the work's product changes (DoProve). Nothing red
// fails the attempt where a proof is required.
type Proved struct {
	Stamp
	Proof Proof `json:"proof"`
}

func (Proved) Name() string { return "proved" }

// Describe says how the work was proved, or why it is not.
func (e Proved) Describe() string {
	if e.Proof.Weak != "" {
		return because(string(ConcernWeak), e.Proof.Weak)
	}
	return because(e.Proof.Label(), e.Proof.Why)
}

func (e Proved) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	if s.Step != StepProof {
		return "no proof is asked for"
	}
	a := s.Last()
	if e.Proof.Commit != a.Commit {
		return fmt.Sprintf("the proof is about %q, the attempt about %q", e.Proof.Commit, a.Commit)
	}
	if e.Proof.Red != "" && e.Proof.Red.Strength() == 0 {
		return fmt.Sprintf("red by %q is unknown", e.Proof.Red)
	}
	a.Proof, s.Retries = e.Proof.clone(), 0
	a.Proof.Review, a.Proof.OnBase = "", false
	if repair, _ := s.redOnBase(a); repair.Shown() && !a.Proof.Shown() {
		a.Proof = &repair
	}
	if flaky := s.flakyOnBase(); flaky != "" && !a.Proof.Shown() {
		a.Proof.Why = strings.TrimPrefix(a.Proof.Why+"; "+flaky, "; ")
	}
	for i := range a.Proof.Without {
		r := &a.Proof.Without[i]
		r.Excerpt = cutMiddle(r.Excerpt, excerptBytes)
	}
	return s.afterProof(a, e.At)
}

// OwesProof reports whether something must be red without the work. An agent-driven
// loop without a final verification has no commit that could be compared with a
// base; and where only reviewers and people decide, nothing can be red.
func (s *State) OwesProof() bool {
	return (s.Mode != AgentDriven || s.Verify) && s.asksProof() && !s.Task.Kind.Exempt() && len(s.hard()) > 0
}

func (s *State) asksProof() bool {
	return s.Proof == ProofRequired || s.Proof == ProofReview
}

// prove continues after the hard gates of the last pass: with what the base shows,
// with an exemption, or with a step of its own, and then it returns true. The step looks at
// the base again, or runs the gates without the work.
func (s *State) prove(a *Attempt) bool {
	if a.Proof != nil || s.Mode == AgentDriven && !a.Verifying || s.vacuous() || s.confirming() || !unblocked(s.hard(), a.Results) {
		return false
	}
	switch p, again := s.redOnBase(a); {
	case again != nil:
	case p.Shown() && (p.Repaired == "" || !s.OwesProof()):
		a.Proof = &p
		return false
	case !s.OwesProof():
		a.Proof = &Proof{Commit: a.Commit, Why: s.exemption()}
		return false
	}
	s.boundary(StepProof)
	return true
}

func (s *State) exemption() string {
	d := s.proofWaived()
	switch {
	case d != nil:
		return "the agent disputed that a test can prove it, and " + cmp.Or(d.By, "a person") + " upheld that"
	case !s.asksProof():
		return "no proof was asked for"
	case s.Task.Kind.Exempt():
		return "the task is of kind " + string(s.Task.Kind)
	}
	return "no gate measures the work"
}

// redOnBase finds a hard gate that failed on the base, failed there again and passes now, if
// possible one that no other task had broken; again is one that must run there again first. A
// gate that found no test to run there, or not the file of tests that it names, proves nothing:
// any test turns it green.
func (s *State) redOnBase(a *Attempt) (p Proof, again *Gate) {
	if !s.Differs && !s.GatesInAgentTree {
		return Proof{}, nil
	}
	for _, repaired := range []bool{false, true} {
		for _, g := range s.hard() {
			base, now := ResultOf(s.BaseResults, g.Name), ResultOf(a.Results, g.Name)
			if base == nil || now == nil || now.Verdict != Passed || (now.Repaired != "") != repaired || now.NamesNewTests || !failedByItself(*base) {
				continue
			}
			second := ResultOf(s.BaseAgain, g.Name)
			if second == nil && s.Proof != "" {
				return Proof{}, new(g.clone())
			}
			tests, red := redTests(*base), true
			if second != nil {
				tests, red = redTwice(*base, *second)
			}
			if !red {
				continue
			}
			p := Proof{Commit: a.Commit, Gate: g.Name, Tests: slices.Clone(tests), OnBase: true, Red: RedOnBase, Repaired: now.Repaired, Why: "gate " + g.Name + " failed before the work"}
			if repaired {
				p.Why += ", since an earlier task of the plan had broken it"
			}
			return p, nil
		}
	}
	return Proof{}, nil
}

// failedByItself: the gate ran to its end and found something wrong.
func failedByItself(r Result) bool {
	noTests := r.Tests != nil && r.Tests.Run == 0 && r.Tests.Failed == 0
	return r.Verdict == Failed && !r.TimedOut && r.Signal == "" && !noTests
}

// unshown: a proof is required, and nothing is red without the work. Soft gates and
// reviews are not asked about such work, unless a review may stand for the proof.
func (s *State) unshown() bool {
	a := s.Last()
	return s.OwesProof() && s.Proof == ProofRequired && a != nil && a.Proof != nil && !a.Proof.Shown() && !a.Proof.Measured
}

// approved is the spec review that approved of the work, or "".
func (s *State) approved(a *Attempt) string {
	for _, g := range s.Gates {
		if r := ResultOf(a.Results, g.Name); r != nil && r.Verdict == Passed && g.IsSpecReview() {
			return g.Name
		}
	}
	return ""
}

// IsSpecReview reports whether the gate asks reviewers to compare the work with its task.
func (g Gate) IsSpecReview() bool {
	return g.Kind == KindReview && g.Review != nil && g.Review.Kind == SpecReview
}

// SpecReview is the kind of review that compares the work with its task.
const SpecReview = "spec"

// proven: nothing is owed, or the attempt has it.
func (s *State) proven(a *Attempt) bool {
	switch {
	case !s.OwesProof(), a.Proof.Shown(), a.Proof != nil && a.Proof.Measured:
		return true
	case s.Proof == ProofReview && a.Proof != nil:
		return s.approved(a) != ""
	}
	return false
}

// ProofLabel says in few words how the work of a passed loop was proved; empty for
// one that has not passed, and for one without any work.
func (s *State) ProofLabel() string {
	passed := s.Status == StatusPassed || s.Ending != nil && s.Ending.Status == StatusPassed
	if a := s.Last(); passed && a != nil && (s.Mode != AgentDriven || a.Verifying) && s.Reason != Imported {
		return a.Proof.Label()
	}
	return ""
}

// Strong reports whether a label says that a test or a gate ran and failed without the
// work. Red by build says less: a test without an assertion would do the same.
func Strong(label string) bool {
	return label == redOnBase || label == redBy+string(RedByAssertion) || label == redBy+string(RedByExit)
}

const (
	redOnBase = "proved: red on the base"
	redBy     = "proved: red by "
)

// Unproved is the label of work without which nothing was seen to fail.
const Unproved = "unproved"

// Label says in few words how the work was proved; nil is unproved.
func (p *Proof) Label() string {
	switch {
	case p == nil:
		return Unproved
	case p.Review != "":
		return "proved: by review"
	case p.Red == RedOnBase:
		return redOnBase
	case p.Shown():
		return redBy + string(p.Red)
	}
	return Unproved
}

// Why nothing is red where there is no product change to undo.
const (
	NothingChanged = "nothing is changed"
	OnlyTests      = "it changes nothing but tests and what belongs to them"
)

// failure tells the next attempt what is missing.
func (s *State) failure(p *Proof) string {
	advice, remedy := "add a test that fails without it", remedyProof
	switch p.Why {
	case NothingChanged:
		return p.Why + "; make the change that the task asks for, and " + advice
	case OnlyTests:
		advice = "where the task asks for a change of the product, make it, and " + advice
	}
	if s.Task.Plan != nil {
		remedy = remedyPlan
	}
	return because("nothing proves this change", p.Why) + "; " + advice + " (" + remedy + ")"
}

// proofWords ends the message of a passed loop of which a proof could be asked; older
// versions did not ask.
func (s *State) proofWords(a *Attempt) string {
	if s.Proof == "" || s.Mode == AgentDriven && !a.Verifying {
		return ""
	}
	return "; " + a.Proof.Label()
}

// FailedProof is the FailedGate of an attempt whose work nothing proves.
const FailedProof = "proof"

// proofTimeout is that of all hard gates together. Each runs once at most, and one of them
// again: its own deadline holds for both runs.
func (s *State) proofTimeout() Deadline {
	var d Deadline
	for _, g := range s.hard() {
		if g.Timeout.Hard == 0 {
			return Deadline{}
		}
		d.Hard = plusTime(d.Hard, g.Timeout.Hard)
	}
	return d
}
