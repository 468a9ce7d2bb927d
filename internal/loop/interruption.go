package loop

import (
	"fmt"
	"strings"
	"time"
)

// Cause is what ended a child process of ralph's: an agent, a gate, git, a sandbox, a
// reviewer, a set-up command. Only an end by itself says anything about the work.
type Cause string

// The causes. After a signal that ralph did not send (the out-of-memory killer, a
// person), or for lack of memory, processes, descriptors or disk, the step is
// interrupted: it is done again, as after a crash of the supervisor.
const (
	CauseItself Cause = "itself"
	CauseOrder  Cause = "order" // a time-out, a stop, an abort: ralph ended it
	CauseSignal Cause = "signal"
	CauseLack   Cause = "lack"
)

// Interrupts reports whether an end by this cause is no result.
func (c Cause) Interrupts() bool { return c == CauseSignal || c == CauseLack }

// Interrupted: the step under way was cut off, and will be done again.
type Interrupted struct {
	Stamp
	Why string `json:"why,omitempty"`
	// Cause is CauseSignal or CauseLack where a child of a living supervisor was
	// ended; empty after a crash or a stop of the supervisor itself.
	Cause Cause `json:"cause,omitempty"`
	// Lost: what the agent of the attempt has done was not committed, and is gone: the
	// step under way is that of the agent again.
	Lost  bool  `json:"lost,omitempty"`
	Usage Usage `json:"usage,omitzero"`
	// Model that the cut-off run said it works with.
	Model string `json:"model,omitempty"`
	// Note is for people: the cost of the interrupted run.
	Note string `json:"note,omitempty"`
}

func (Interrupted) Name() string { return "interrupted" }

// Describe returns the reason.
func (e Interrupted) Describe() string { return e.Why }

func (e Interrupted) apply(s *State) string {
	switch {
	case e.Lost && s.Step != StepCommit:
		return "no work is to be committed"
	case s.Status != Running && !e.Lost:
		return notRunning
	}
	if s.Began {
		used := e.Usage.clone().Sound()
		s.spend(used, e.Model, true)
		s.Last().SessionUsed = s.Last().SessionUsed.Add(used.clone())
	}
	if a := s.Last(); a != nil && e.Note != "" {
		a.Notes = append(a.Notes, e.Note)
	}
	if s.Mode == AgentDriven && s.Step != StepAgent {
		s.cutCheck()
		return ""
	}
	if e.Lost {
		s.Step = StepAgent
		if s.Status != Running { // it rests on
			s.Last().Interruptions++
			return ""
		}
		s.Began = true
	}
	return s.cutShort(e.At, e.Cause.Interrupts(), e.Why)
}

// cutShort does the step under way again, at most Limits.Interruptions times; then a
// person decides. A pause on request uses up nothing. After a child's end there is a
// wait, which doubles: what killed it may do so again. The process that resumes
// a loop after a crash has waited already.
func (s *State) cutShort(at time.Time, child bool, why string) string {
	began := s.Began
	s.Began = false
	if a := s.Last(); (began || child) && s.Step == StepAgent && a != nil && a.Verdict == "" {
		a.Interruptions++
	}
	if s.PauseAsked || !child && !began && s.Step != StepGates && s.Step != StepProof {
		s.boundary(s.Step)
		return ""
	}
	n := s.crashes()
	*n++
	switch {
	case *n > s.Limits.Interruptions && s.Ending != nil:
		return s.cannot(at, crashWords(*n)+": "+why)
	case *n > s.Limits.Interruptions && s.Open() != nil:
		s.waitForAnswer() // it has asked something else: one question at a time
	case *n > s.Limits.Interruptions:
		s.question(at, s.worn(*n, why))
		s.waitForAnswer()
	case child:
		wake := at.Add(s.Limits.Delay(*n - 1))
		s.wait(ForRetry, wake, fmt.Sprintf("%s; interruption %d of %d", why, *n, s.Limits.Interruptions))
	default:
		s.boundary(s.Step)
	}
	return ""
}

// crashes counts the interruptions of the attempt under way; outside of one those
// since the last step that was done.
func (s *State) crashes() *int {
	if a := s.Last(); a != nil && a.Verdict == "" && s.Ending == nil {
		return &a.Crashes
	}
	return &s.Crashes
}

// The answers to the question about a step that is interrupted again and again.
const (
	sayAgain = "again"
	sayGone  = "failed"
)

// worn asks a person about a step that was interrupted more often than allowed. What
// dies by a signal each time may do so by itself: it passes by no number of tries.
func (s *State) worn(n int, why string) Question {
	what := map[Step]string{
		StepSetup: "the loop ends", StepBase: "the loop ends", StepCommit: "the loop ends",
		StepAgent: "the attempt counts, and the gates judge what the agent left",
		StepGates: "the gate has not passed", StepProof: "the work is not proved",
	}[s.Step]
	return Question{
		Interrupted: true, Options: []string{sayAgain, sayGone},
		Text: fmt.Sprintf("The step %q was interrupted %d times; the last: %s.\n%s: do it again, up to %d times more. %s: it counts as failed; %s.",
			s.Step, n, strings.TrimSuffix(why, "."), sayAgain, s.Limits.Interruptions, sayGone, what),
	}
}

// resolve carries out the answer to that question.
func (s *State) resolve(q *Question, e Answered) (refusal string) {
	words := strings.ToLower(strings.TrimSpace(e.Text))
	if e.By == ByPolicy {
		return "only a person can decide about an interruption"
	}
	if words != sayAgain && words != sayGone {
		return "an interruption is answered by " + sayAgain + " or " + sayGone
	}
	n := s.crashes()
	why := crashWords(*n)
	*n = 0
	s.answer(q, words, e.By, e.At)
	if words == sayAgain {
		return ""
	}
	paused := s.Status == Paused
	if paused {
		s.Status = Running
	}
	refusal = s.giveUp(e.At, why)
	if paused && s.Status == Running && s.Ending == nil {
		s.pause()
	}
	return refusal
}

// giveUp ends the step under way as failed. Partial work of an agent goes to the gates.
func (s *State) giveUp(at time.Time, why string) string {
	a := s.Last()
	switch s.Step {
	case StepAgent:
		if a == nil || a.Verdict != "" {
			return s.cannot(at, why)
		}
		a.Agent = Outcome{End: EndFailed, Message: why}
		s.boundary(StepCommit)
		return ""
	case StepGates:
		return GateEnded{Stamp{At: at}, Result{
			Gate: Next(*s).Gate.Name, Verdict: Error, Reason: why, Commit: a.Commit, Tree: a.Tree,
		}}.apply(s)
	case StepProof:
		return Proved{Stamp{At: at}, Proof{Commit: a.Commit, Why: why}}.apply(s)
	}
	return s.cannot(at, why)
}

func crashWords(n int) string { return fmt.Sprintf("interrupted %d times", n) }
