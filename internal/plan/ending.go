package plan

import (
	"fmt"
	"time"

	"ralph/internal/loop"
)

// The end of the plan as a whole, when its tasks are done: its gates are run on
// the tip.

// ProofBegan: a loop runs the plan's gates on the tip.
type ProofBegan struct {
	Stamp
	Loop string `json:"loop"`
}

func (ProofBegan) Name() string { return "proof_began" }

func (e ProofBegan) Describe() string { return "the plan's gates run on the result: loop " + e.Loop }

func (e ProofBegan) apply(s *State) string {
	switch {
	case s.Stage != Proving:
		return "the plan is not to be proved yet"
	case s.Final != "":
		return "loop " + s.Final + " looks already"
	}
	s.Final, s.FinalRests, s.FinalTurns = e.Loop, "", 1
	return ""
}

// Proof is the result. Commit is the new tip where the loop repaired it.
type Proof struct {
	Stamp
	// Loop that looked; empty: none had to.
	Loop     string `json:"loop,omitempty"`
	Passed   bool   `json:"passed"`
	Commit   string `json:"commit,omitempty"`
	Message  string `json:"message,omitempty"`
	Attempts int    `json:"attempts,omitempty"`
	// Concerns are the codes of the concerns about what it repaired, with commas between them.
	Concerns string `json:"look,omitempty"`
}

func (Proof) Name() string { return "proved" }

// Describe reports whether the plan's gates passed.
func (e Proof) Describe() string {
	if e.Passed {
		return "the plan's gates pass on the result"
	}
	return because("the plan's gates do not pass on the result", e.Message)
}

func (e Proof) apply(s *State) string {
	switch {
	case s.Stage != Proving:
		return "the plan is not to be proved yet"
	case e.Loop != "" && e.Loop != s.Final:
		return "loop " + e.Loop + " looked at less than there is now"
	}
	s.Attempts += e.Attempts
	s.beside(e.Attempts)
	s.FinalRests = ""
	if !e.Passed {
		// Its loop stays named: it has the evidence.
		s.end(e.At, loop.StatusFailed, Unproved, e.Message)
		return ""
	}
	s.Final = ""
	if e.Commit != "" && e.Commit != s.Tip {
		s.Tip, s.Accepted = e.Commit, ""
		s.Ends, s.EndConcerns = append(s.Ends, e.Loop), both(s.EndConcerns, e.Concerns)
	}
	s.Proved = s.Tip
	return ""
}

// advance moves the run to its next stage when the present one has nothing
// left: all tasks done, the plan's gates passed on the tip, the plan reviewed.
func (s *State) advance(at time.Time) {
	s.renew()
	if s.Status.Terminal() || s.Status == loop.Pending {
		return
	}
	s.useCapacity()
	s.closeGaps()
	if s.Stage == Working && len(s.Tasks) > 0 && s.allOver() && !s.workOnGaps(at) {
		s.Stage = Proving
	}
	if s.Stage == Proving && s.Proved != "" && s.Proved == s.Tip {
		s.Stage = Reviewing
	}
	if s.Stage != Reviewing {
		s.Held = Held{}
	}
	s.withdraw()
	if s.Stage != Reviewing || s.OpenQuestion() != nil {
		return
	}
	if !s.Rules.Review {
		s.Review = &Review{Commit: s.Tip, Unreviewed: true, Reason: "no reviewer is configured"}
		s.end(at, loop.StatusPassed, AllDone, s.doneWords()+"; unreviewed")
	} else if r := s.Review; r != nil && r.Commit == s.Tip && r.conclusive() && !r.Again {
		s.end(at, loop.StatusPassed, AllDone, s.doneWords()+"; "+r.words(len(s.Open())))
	}
}

// doneWords distinguish landed tasks from those that the file marked as done:
// for these, only the plan's gates are proof.
func (s *State) doneWords() string {
	byHand := 0
	for _, t := range s.Tasks {
		if t.byHand() && !t.Gone {
			byHand++
		}
	}
	switch {
	case byHand == 0:
		return "every task is done and landed" + s.unproved()
	case s.Tip == s.Base:
		return "every task was done before, as the plan says; its gates pass"
	}
	return fmt.Sprintf("every task is done; %d of them as the plan says, not by ralph", byHand) + s.unproved()
}

// unproved counts the tasks whose work nothing was seen to fail without, and those whose
// own checks did not run.
func (s *State) unproved() (words string) {
	for _, code := range []loop.ConcernCode{loop.ConcernUnproved, loop.ConcernUnchecked} {
		if n := len(s.About(code)); n > 0 {
			words += fmt.Sprintf("; %s: %d", code, n)
		}
	}
	return words
}

func (r *Review) words(open int) string {
	switch {
	case r.Unreviewed && r.AcceptedBy != "":
		return "unreviewed, accepted by " + r.AcceptedBy
	case r.Unreviewed:
		return "unreviewed"
	case open == 0 && r.Degraded:
		return "reviewed, degraded"
	case open > 0:
		return amount(open, "reviewed, 1 gap or edge case is open", "reviewed, %d gaps or edge cases are open")
	}
	return "reviewed"
}

// allOver: every task of the file is done, or is not to be done.
func (s *State) allOver() bool {
	for i := range s.Tasks {
		if t := &s.Tasks[i]; !t.Gone && t.Status != Done && t.Status != Skipped && !t.gaveUp() {
			return false
		}
	}
	return true
}

// Complete: everything that the plan asks for is done, proved and reviewed, and
// nothing is left open (seed 003): it may be put away.
func (s *State) Complete() bool {
	return s.Status == loop.StatusPassed && len(s.Rules.Only) == 0 && len(s.Open()) == 0 &&
		s.Review != nil && s.Review.Pass && s.Review.Recommendation == Archive
}
