package loop

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Ruling is the answer to a dispute.
type Ruling string

// The rulings. An upheld dispute is a permission to change judge files, which the
// verdict and accept list like any other.
const (
	Upheld    Ruling = "upheld"
	Dismissed Ruling = "dismissed"
	// Unheard: the loop had raised as many as it may, and no person was asked.
	Unheard Ruling = "refused"
)

// rulings are the answers in one word. To uphold a dispute permits changes of judge
// files: where the dispute knows none, the person names them, or it is the gate's command
// that is wrong, which no permission corrects. A refusal and the proof need none.
func (d Dispute) rulings() []string {
	if len(d.Files) == 0 && d.OfGate() {
		return []string{SayDismiss}
	}
	return []string{SayUphold, SayDismiss}
}

// wrongCommand is the way out where no judge file is wrong. A plan does a task again by
// itself whose own command was corrected.
func (s *State) wrongCommand(gate string) string {
	const wrong = "If the gate's command itself is wrong: "
	switch {
	case s.InPlan() && strings.HasPrefix(gate, GateOfTask):
		return wrong + "correct it in the plan's file, then " + SayDismiss + "; the task is done again once you approve the new command."
	case s.InPlan():
		return wrong + SayDismiss + ", correct it where it is written (ralph.yaml, or --until), and run the plan again."
	}
	return wrong + SayDismiss + ", correct it where it is written, and run the task again."
}

// disputed is the question that puts a dispute: the agent's argument beside the
// gate, what it reported last, and what each answer means.
func (s *State) disputed(d Dispute) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The agent disputes %s%s: %s\n", d.About(), s.askedAgain(d), quoted(d.Why))
	if d.OfProof {
		if a := s.lastUnproved(); a != nil {
			fmt.Fprintf(&b, "Attempt %d: %s\n", a.N, oneLine(because("nothing proves this change", a.Proof.Why)))
		}
		fmt.Fprintf(&b, "%s: %s.\n%s: the work passes only with a test that fails without it, and the agent continues.", SayUphold, s.withoutProof(), SayDismiss)
		return b.String()
	}
	if d.OfRefusal {
		if a, what := s.lastRefused(d.Gate); a != nil {
			fmt.Fprintf(&b, "Attempt %d: %s\n", a.N, oneLine(what))
		} else {
			b.WriteString("No work of this loop was refused for it yet.\n")
		}
		fmt.Fprintf(&b, "%s: such work of this loop is not refused from now on, and accept asks you to confirm it.\n%s: it is refused, and the agent continues.", SayUphold, SayDismiss)
		return b.String()
	}
	b.WriteString(s.lastFailure(d.Gate))
	if len(d.Files) == 0 {
		fmt.Fprintf(&b, "%s: the gate stays as it is, and the agent continues.\n%s GLOB…: the work may change these judge files from now on; the agent named none.\n%s", SayDismiss, SayUphold, s.wrongCommand(d.Gate))
	} else {
		fmt.Fprintf(&b, "%s: the work may change %s from now on.\n%s: the gate stays as it is, and the agent continues.", SayUphold, listed(d.Files), SayDismiss)
	}
	return b.String()
}

// lastFailure is what a gate reported on the newest work, or, where no work was judged, on the base;
// "" where that passed. Of the base it is said, since nothing is the agent's there.
func (s *State) lastFailure(gate string) string {
	where, r := "", s.lastResult(gate)
	if r == nil {
		if base := ResultOf(s.BaseResults, gate); base != nil {
			where, r = ", on the base, without its work", new(base.brief())
		}
	}
	if r == nil || r.Verdict == Passed {
		return ""
	}
	out := fmt.Sprintf("The gate%s: %s\n", where, oneLine(reasonOf(*r)))
	if r.Tests != nil && len(r.Tests.Failing) > 0 && !r.Hidden {
		out += fmt.Sprintf("Failing: %s\n", listed(r.Tests.Failing))
	}
	return out
}

// askedAgain tells a dispute that was raised before with the same argument from the first:
// how often it was raised, and the last answer to it.
func (s *State) askedAgain(d Dispute) string {
	times, answer := 1, ""
	for _, old := range s.Disputes {
		if old.Gate == d.Gate && old.Why == d.Why {
			times++
			answer = old.answer()
		}
	}
	if times == 1 {
		return ""
	}
	return fmt.Sprintf(" again (asked %d times; the last answer was %q)", times, answer)
}

// answer is the ruling in the words with which a person gives it.
func (d Dispute) answer() string {
	if d.Ruling == Upheld {
		return strings.Join(append([]string{SayUphold}, d.MayChange...), " ")
	}
	return SayDismiss
}

// disputedFiles are the judge files that a dispute is about.
func (s *State) disputedFiles(d Dispute) []string {
	if !s.DisputeOf(d.Gate, "", nil).OfGate() {
		return nil
	}
	if len(d.Files) > 0 {
		return slices.Clone(d.Files)
	}
	if r := s.lastResult(d.Gate); r != nil && r.Judging != nil {
		return slices.Clone(r.Judging.SetAside)
	}
	return nil
}

// Upholds reports whether an answer upholds a dispute, and which files may change by it.
func Upholds(answer string) (globs []string, is bool) {
	words := strings.Fields(answer)
	if len(words) == 0 || !strings.EqualFold(words[0], SayUphold) {
		return nil, false
	}
	for _, w := range words[1:] {
		globs = append(globs, strings.Trim(w, `"'`))
	}
	return globs, true
}

// rule decides a dispute by a typed answer; it returns why that is none.
func (s *State) rule(q *Question, e Answered) (refusal string) {
	words := strings.Fields(e.Text)
	globs, uphold := Upholds(e.Text)
	switch {
	case e.By == ByPolicy:
		return "only a person can decide a dispute"
	case uphold:
		if !q.Dispute.OfGate() {
			if len(globs) > 0 {
				return "this dispute is about no judge files: answer " + SayUphold + " or " + SayDismiss
			}
			s.recordRuling(q, Upheld, nil, e.By, e.At)
			return ""
		}
		if len(globs) == 0 {
			globs = q.Dispute.Files
		}
		if len(globs) == 0 {
			return "name the judge files that may change: " + SayUphold + " GLOB…; the dispute names none. " + s.wrongCommand(q.Dispute.Gate)
		}
		s.recordRuling(q, Upheld, globs, e.By, e.At)
	case len(words) == 1 && strings.EqualFold(words[0], SayDismiss):
		s.recordRuling(q, Dismissed, nil, e.By, e.At)
	default:
		return "a dispute is answered by uphold or dismiss"
	}
	return ""
}

// recordRuling records a ruling. The judge files that it permits may change from now on, for
// what was refused wrongly no more work is, and no proof is owed that no test can give.
func (s *State) recordRuling(q *Question, r Ruling, globs []string, by string, at time.Time) {
	for i := range s.Disputes {
		if d := &s.Disputes[i]; d.Question == q.ID {
			d.Ruling, d.MayChange, d.By, d.RuledAt = r, globs, by, at
			s.Spec = s.Grant(d.granted())
		}
	}
	s.answer(q, Dispute{Ruling: r, MayChange: globs}.answer(), by, at)
}

// afterDispute ends a run in which the agent raised a dispute: the attempt is not
// judged, and is made again once there is a ruling.
func (s *State) afterDispute(a *Attempt) {
	a.Disputed = false
	if s.Open() != nil {
		s.waitForAnswer()
		return
	}
	s.boundary(StepAgent)
}
