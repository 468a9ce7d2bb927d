package loop

import (
	"fmt"
	"strings"
	"time"
)

// boundary is the end of a step: a pause that was asked for happens here.
func (s *State) boundary(next Step) {
	s.Step = next
	if s.PauseAsked && s.Ending == nil {
		s.pause()
	}
}

// conclude decides how the loop ends. Failed work is still to be kept, and the
// worktrees are to be released. A loop that has not run yet, and one
// that its agent drives in the user's own tree, have nothing to close.
func (s *State) conclude(at time.Time, status Status, reason Reason, message string) {
	untouched := s.Status == Pending
	s.Ending = &Ending{Status: status, Reason: reason, Message: message, At: at}
	s.Status, s.Reason, s.Message = Running, "", ""
	s.PauseAsked, s.PauseWhy, s.Began, s.Wake, s.Retries, s.Crashes = false, "", false, time.Time{}, 0, 0
	if a := s.Last(); a != nil && a.EndedAt.IsZero() {
		a.EndedAt = at
	}
	s.Step = StepTidy
	if status != StatusPassed && s.Worktree != "" {
		s.Step = StepKeep
		s.FailureRef = s.failureRef(at)
	}
	if s.Mode == AgentDriven || untouched {
		s.finish(at)
	}
}

// finish makes the decided end the status.
func (s *State) finish(at time.Time) {
	s.Status, s.Reason, s.Message = s.Ending.Status, s.Ending.Reason, s.Ending.Message
	s.Step, s.EndedAt = StepDone, at
}

// Kept: failed work stands on a branch; Ref is empty if there was none.
type Kept struct {
	Stamp
	Ref    string `json:"ref,omitempty"`
	Commit string `json:"commit,omitempty"`
}

func (Kept) Name() string { return "kept" }

func (e Kept) Describe() string { return e.Ref }

func (e Kept) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	if s.Step != StepKeep {
		return "nothing is to be kept"
	}
	s.FailureRef, s.Step, s.Retries, s.Crashes = e.Ref, StepTidy, 0, 0
	return ""
}

// notKept ends the loop at once: worktrees that hold the only copy of the work
// are not handed back.
func (s *State) notKept(at time.Time, why string) {
	s.FailureRef = ""
	s.Ending.Message += fmt.Sprintf("; the work could not be kept on a branch and stays in %s: %s", s.Worktree, why)
	s.finish(at)
}

// Tidied: worktrees are handed back; the loop is over.
type Tidied struct {
	Stamp
	// Note tells what a teardown command did not do, for people.
	Note string `json:"note,omitempty"`
}

func (Tidied) Name() string { return "tidied" }

func (e Tidied) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	if s.Step != StepTidy {
		return "the loop is not over"
	}
	if a := s.Last(); e.Note != "" && a != nil {
		a.Notes = append(a.Notes, e.Note)
	}
	s.finish(e.At)
	return ""
}

// Accepted: a person accepted the work that passed.
type Accepted struct {
	Stamp
	Branch string `json:"branch"`
	Commit string `json:"commit"`
}

func (Accepted) Name() string { return "accepted" }

// Describe names the branch and the commit.
func (e Accepted) Describe() string { return fmt.Sprintf("%s at %.7s", e.Branch, e.Commit) }

func (Accepted) afterEnd() {}

func (e Accepted) apply(s *State) string {
	switch {
	case s.Status != StatusPassed || s.Commit == "" || s.Mode == AgentDriven:
		return "there is nothing to accept"
	case e.Commit == "":
		return "the commit is missing"
	}
	s.Accepted, s.Clash = e.Commit, nil
	return ""
}

// failureRef is seed 004's name of a failure branch, in UTC.
func (s *State) failureRef(at time.Time) string {
	task := refPart(s.Task.ID)
	if task == "" {
		task = refPart(s.ID)
	}
	return fmt.Sprintf("wip/ralph-fail-%s-%s", task, at.UTC().Format("20060102-150405"))
}

// refPart makes any text fit to stand in the name of a branch.
func refPart(text string) string {
	const most = 60
	part := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.':
			return r
		}
		return '-'
	}, text)
	for _, twice := range []string{"--", ".."} {
		for strings.Contains(part, twice) {
			part = strings.ReplaceAll(part, twice, twice[:1])
		}
	}
	return strings.Trim(part[:min(len(part), most)], "-.")
}
