package loop

import (
	"fmt"
	"time"
)

func (s *State) takePrepared(e Prepared) string {
	if s.Step != StepSetup {
		return "already prepared"
	}
	s.Worktree, s.GateTree = e.Worktree, e.GateTree
	if e.Base != "" {
		s.Base = e.Base
	}
	s.Retries = 0
	s.boundary(StepBase)
	if len(s.round(nil, true)) == 0 {
		s.Step = StepAgent
	}
	return ""
}

// upcoming is the number and the approach of the attempt to make now: the
// present one again if its agent has not ended, else the next.
func (s *State) upcoming() (int, Approach) {
	if a := s.Last(); a != nil && a.Verdict == "" {
		return a.N, a.Approach
	}
	return s.Iteration + 1, s.approach()
}

func (s *State) takeBegan(e AttemptBegan) string {
	if s.Step != StepAgent || s.Began || s.Mode == AgentDriven {
		return "no agent is to be started"
	}
	n, approach := s.upcoming()
	if n > s.Limits.MaxIterations {
		return "all attempts are used"
	}
	if n != s.Iteration {
		s.begin(n, approach, e.At)
	}
	s.Began = true
	return ""
}

func (s *State) begin(n int, approach Approach, at time.Time) {
	s.Iteration = n
	s.Attempts = append(s.Attempts, Attempt{N: n, Approach: approach, StartedAt: at})
	if old := len(s.Attempts) - 2 - historyKept; old >= 0 {
		s.Attempts[old].compact()
	}
}

// historyKept is how many attempts before the present one keep their verbatim
// output in the state (seed 004: a rolling window of the last 3). All of it
// stays in the files of the attempt.
const historyKept = 3

func (a *Attempt) compact() {
	results := make([]Result, len(a.Results))
	for i, r := range a.Results {
		r.Excerpt, r.Missing, r.Argv = "", nil, nil
		results[i] = r
	}
	a.Results = results
}

// takeInterrupted does the step again. An attempt that is cut off again and
// again counts as used in the end: its partial work goes to the gates.
func (s *State) takeInterrupted(e Interrupted) string {
	s.Usage = s.Usage.Add(e.Usage)
	if s.Step != StepAgent || !s.Began {
		s.boundary(s.Step)
		return ""
	}
	a := s.Last()
	a.Interruptions++
	s.Began = false
	if a.Interruptions > s.Limits.Interruptions {
		a.Agent = Outcome{End: EndFailed, Message: fmt.Sprintf("interrupted %d times", a.Interruptions)}
		s.boundary(StepCommit)
		return ""
	}
	s.boundary(StepAgent)
	return ""
}

func (s *State) takeAgentEnded(e AgentEnded) string {
	if s.Step != StepAgent || !s.Began {
		return "no agent is running"
	}
	a, out := s.Last(), e.Outcome
	s.Usage = s.Usage.Add(out.Usage)
	a.Agent, s.Began = out, false
	switch out.End {
	case EndPermanent:
		s.conclude(e.At, StatusFailed, AgentError, out.Message)
	case EndLimit:
		s.backOff(e.At, ForLimit, out.ResetAt, out.Message)
	case EndTransient:
		s.transient(e.At, out.Message)
	case EndAsked:
		return s.ask(e.At, out.Question)
	case EndDone, EndFailed, EndTimeout:
		s.Retries = 0
		s.boundary(StepCommit)
	default:
		return fmt.Sprintf("unknown end %q", out.End)
	}
	return ""
}

// transient retries the agent a bounded number of times; no attempt is used.
func (s *State) transient(at time.Time, message string) {
	if s.Retries >= s.Limits.Transient {
		s.conclude(at, StatusFailed, AgentError, fmt.Sprintf("%s (tried %d times)", message, s.Retries+1))
		return
	}
	s.backOff(at, ForLimit, time.Time{}, message)
}

// backOff waits until reset, or where that is unknown or past for a time that
// doubles, at most an hour. The attempt keeps its number.
func (s *State) backOff(at time.Time, r Reason, reset time.Time, message string) {
	if !reset.After(at) {
		reset = at.Add(min(s.Limits.BackOff<<min(s.Retries, 20), time.Hour))
	}
	s.Retries++
	if a := s.Last(); a != nil && s.Step == StepAgent {
		a.Interruptions++
	}
	s.wait(r, reset, message)
}

// ask waits for a person. Asking consumes no attempt, within bounds.
func (s *State) ask(at time.Time, q *Question) string {
	if q == nil {
		return "a question is missing"
	}
	a := s.Last()
	if !q.Work && a.Questions >= s.Limits.Questions {
		a.Agent.End, a.Agent.Message = EndFailed, "asked more questions than allowed"
		s.boundary(StepCommit)
		return ""
	}
	a.Questions++
	ask := *q
	ask.ID, ask.AskedAt = fmt.Sprintf("q%d", len(s.Questions)+1), at
	ask.Answer, ask.Answered = "", false
	s.Questions = append(s.Questions, ask)
	s.wait(ForHuman, time.Time{}, ask.Text)
	return ""
}

// takeCommitted starts the gates. In an agent-driven loop it also begins the
// attempt: the agent has worked, and now asks for a check.
func (s *State) takeCommitted(e Committed) string {
	switch {
	case s.Mode == AgentDriven && s.Step == StepAgent:
		s.begin(s.Iteration+1, Approach{}, e.At)
	case s.Mode == AgentDriven || s.Step != StepCommit:
		return "nothing is to be committed"
	}
	if e.Commit == "" && e.Tree == "" {
		return "neither a commit nor a tree"
	}
	a := s.Last()
	a.Commit, a.Tree, a.Changed, a.Files = e.Commit, e.Tree, e.Changed, e.Files
	a.Notes = append(a.Notes, e.Notes...)
	s.Commit, s.Differs, s.Retries = e.Commit, e.Differs, 0
	s.boundary(StepGates)
	return ""
}

// takeWorkFailed: what may pass is tried again, anything else ends the loop
// with the reason of its step.
func (s *State) takeWorkFailed(e WorkFailed) string {
	if e.Step != s.Step {
		return "another step is under way"
	}
	if e.Busy && s.Retries < s.Limits.Transient {
		s.backOff(e.At, ForLock, time.Time{}, e.Message)
		return ""
	}
	switch s.Step {
	case StepSetup:
		s.conclude(e.At, StatusFailed, SetupError, e.Message)
	case StepAgent:
		s.conclude(e.At, StatusFailed, AgentError, e.Message)
	case StepBase, StepGates:
		s.conclude(e.At, StatusFailed, GateError, e.Message)
	case StepKeep:
		s.FailureRef = ""
		s.Ending.Message += "; the failed work could not be kept on a branch: " + e.Message
		s.Step = StepTidy
	case StepTidy:
		s.finish(e.At)
	default:
		s.conclude(e.At, StatusFailed, GitError, e.Message)
	}
	return ""
}

func (s *State) takeKept(e Kept) string {
	if s.Step != StepKeep {
		return "nothing is to be kept"
	}
	s.FailureRef, s.Step, s.Retries = e.Ref, StepTidy, 0
	return ""
}

func (s *State) takeTidied(e Tidied) string {
	if s.Step != StepTidy {
		return "the loop is not over"
	}
	s.finish(e.At)
	return ""
}
