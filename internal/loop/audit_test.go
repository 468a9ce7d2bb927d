package loop

import (
	"encoding/json"
	"fmt"
	"slices"
)

// audit watches a loop from outside and knows the promises of doc.go, each
// told in other words than the machine's.
type audit struct {
	// keeps counts how often the loop came to keep its work.
	keeps int
}

// apply applies e and says which promise that broke, or nothing.
func (au *audit) apply(s State, e Event) (State, error) {
	before := s.clone()
	after, err := Apply(s, e)
	if diff := same(before, s); diff != "" {
		return s, fmt.Errorf("the state before was changed: %s", diff)
	}
	return after, au.step(before, e, after, err)
}

func (au *audit) step(before State, e Event, after State, err error) error {
	if err != nil {
		if diff := same(before, after); diff != "" {
			return fmt.Errorf("a refused event changed the state: %s", diff)
		}
		return nil
	}
	if after.Step == StepKeep && before.Step != StepKeep {
		au.keeps++
	}
	for _, check := range []func(State, Event, State) error{
		terminalStays, attemptsAreBounded, timeIsHonest, waitingIsFree, reasonsFit, detectorsLeavePassesAlone, neverADeadEnd, moneyAddsUp, answersAreFinal,
	} {
		if err := check(before, e, after); err != nil {
			return err
		}
	}
	if err := roundTrip(after, e); err != nil {
		return err
	}
	if err := au.kept(after); err != nil {
		return err
	}
	return proved(after)
}

// terminalStays: after the end nothing is taken but that the work that passed was
// accepted, that it met a conflict and that the task was retried, and nothing else changes by that.
func terminalStays(before State, e Event, after State) error {
	home, accepted := e.(Accepted)
	clash, conflicted := e.(Conflicted)
	again, retried := e.(Retried)
	switch {
	case !before.Status.Terminal() && (accepted || conflicted || retried):
		return fmt.Errorf("%s while the loop is %s", e.Name(), before.Status)
	case !before.Status.Terminal():
		return nil
	case accepted && before.Status == StatusPassed && before.Commit != "" && home.Commit != "":
		after.Accepted, after.Clash = before.Accepted, before.Clash
	case conflicted && before.Status == StatusPassed && clash.Work == before.Commit:
		after.Clash = before.Clash
	case retried && again.By != "":
		after.RetriedBy = before.RetriedBy
	default:
		return fmt.Errorf("%s was taken after the end", e.Name())
	}
	if diff := same(before, after); diff != "" {
		return fmt.Errorf("%s changed more than that:\n%s", e.Name(), diff)
	}
	return nil
}

func attemptsAreBounded(before State, _ Event, after State) error {
	most := after.Limits.MaxIterations
	switch {
	case after.Iteration < before.Iteration:
		return fmt.Errorf("the iteration fell from %d to %d", before.Iteration, after.Iteration)
	case after.Iteration > most || len(after.Recent) != after.Iteration:
		return fmt.Errorf("iteration %d of %d with %d attempts", after.Iteration, most, len(after.Recent))
	case after.Iteration == most && after.Recent[most-1].Verdict == Failed && after.Ending == nil:
		return fmt.Errorf("the last attempt failed, and the loop goes on")
	}
	return nil
}

func timeIsHonest(before State, e Event, after State) error {
	_, taken := e.(Acquired)
	stopped := before.Status != Running || taken && before.Mode == Supervised
	switch {
	case after.Active < before.Active:
		return fmt.Errorf("active time fell from %s to %s", before.Active, after.Active)
	case before.InVerification() && after.Active != before.Active:
		return fmt.Errorf("the final verification used %s of the loop's time", after.Active-before.Active)
	case stopped && after.Active != before.Active:
		return fmt.Errorf("%s in %s counted %s", e.Name(), before.Status, after.Active-before.Active)
	}
	return nil
}

func waitingIsFree(before State, e Event, after State) error {
	if after.Status == Waiting && after.Iteration != before.Iteration {
		return fmt.Errorf("%s made the loop wait and used an attempt", e.Name())
	}
	if before.Status == Waiting && after.Status == Running && after.Iteration != before.Iteration {
		return fmt.Errorf("%s ended a wait and used an attempt", e.Name())
	}
	return nil
}

func reasonsFit(_ State, _ Event, after State) error {
	reasons, needed := Reasons()[after.Status]
	switch {
	case needed && !slices.Contains(reasons, after.Reason):
		return fmt.Errorf("%s for %q", after.Status, after.Reason)
	case after.Began && (after.Status != Running || after.Step != StepAgent):
		return fmt.Errorf("the agent runs in %s/%s", after.Status, after.Step)
	case after.Status == Running && after.Reason != "":
		return fmt.Errorf("running for %q", after.Reason)
	case after.Status.Terminal() && (after.EndedAt.IsZero() || after.Step != StepDone || after.Message == ""):
		return fmt.Errorf("ended at %s in %s: %q", after.EndedAt, after.Step, after.Message)
	}
	return nil
}

func detectorsLeavePassesAlone(_ State, _ Event, after State) error {
	if a := after.Last(); a != nil && a.Verdict == Passed && (after.Ending == nil || after.Ending.Status != StatusPassed) {
		return fmt.Errorf("an attempt that passed ended in %+v", after.Ending)
	}
	return nil
}

// neverADeadEnd: whoever runs a running loop is always told what to do, and
// in a waiting one until when.
func neverADeadEnd(_ State, _ Event, after State) error {
	a := Next(after)
	atRest := after.Status.Terminal() || after.Status == Paused || after.Status == Pending ||
		after.Status == Waiting && after.Reason == ForHuman && after.Open() != nil && after.Open().Deadline.IsZero() ||
		after.Status == Running && after.Mode == AgentDriven && after.Step == StepAgent
	switch {
	case atRest != (a.Do == DoNothing):
		return fmt.Errorf("%q is to be done in %s/%s for %q", a.Do, after.Status, after.Step, after.Reason)
	case a.Do == DoWait && a.Wake.IsZero():
		return fmt.Errorf("a wait without an end")
	case a.Do == DoNothing && after.Status == Waiting && after.Open() == nil:
		return fmt.Errorf("waiting for a person without a question")
	case a.Key == "":
		return fmt.Errorf("%q has no key", a.Do)
	}
	return nil
}

// answersAreFinal: one question is open at most, an answer stays as it was given,
// and a deadline alone takes the default of a question that has one.
func answersAreFinal(before State, e Event, after State) error {
	for i, q := range after.Questions {
		switch {
		case i < len(after.Questions)-1 && !q.Answered:
			return fmt.Errorf("%s is open, and %d more were asked after it", q.ID, len(after.Questions)-1-i)
		case !q.Deadline.IsZero() && (q.Gate != "" || q.Work || q.Default == "" || !q.Deadline.After(q.AskedAt)):
			return fmt.Errorf("a deadline on %+v", q)
		}
		if i >= len(before.Questions) {
			continue
		}
		was := before.Questions[i]
		if diff := same(was, q); was.Answered && diff != "" {
			return fmt.Errorf("%s was answered once more: %s", q.ID, diff)
		}
		woke, is := e.(Woke)
		overdue := is && woke.Question == q.ID
		if taken := !was.Answered && q.Answered && q.By == ByPolicy && !q.Deadline.IsZero(); taken != overdue || taken && q.Answer != q.Default {
			return fmt.Errorf("%s answered %+v", e.Name(), q)
		}
	}
	switch q := after.Open(); {
	case len(after.Questions) < len(before.Questions):
		return fmt.Errorf("a question is gone")
	case after.Status == Waiting && after.Reason == ForHuman && !after.Wake.Equal(q.Deadline):
		return fmt.Errorf("waits until %s for what is due at %s", after.Wake, q.Deadline)
	}
	return nil
}

// moneyAddsUp: what the loop has used is what its attempts have used, and what
// its agents have.
func moneyAddsUp(_ State, _ Event, after State) error {
	var attempts, agents Usage
	runs, unknown := 0, 0
	for _, a := range after.Recent {
		attempts = attempts.Add(a.Usage)
		runs, unknown = runs+a.Runs, unknown+a.CostUnknown
	}
	for _, p := range after.Spent {
		agents = agents.Add(p.Usage)
		runs, unknown = runs-p.Runs, unknown-p.CostUnknown
	}
	if diff := same(after.Usage, attempts); diff != "" {
		return fmt.Errorf("the attempts have not used what the loop has: %s", diff)
	}
	if diff := same(after.Usage, agents); diff != "" {
		return fmt.Errorf("the agents have not used what the loop has: %s", diff)
	}
	if runs != 0 || unknown != 0 {
		return fmt.Errorf("%d runs and %d unknown costs are on one side only", runs, unknown)
	}
	return nil
}

func roundTrip(s State, e Event) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	var back State
	if err := json.Unmarshal(data, &back); err != nil {
		return err
	}
	if diff := same(s, back); diff != "" {
		return fmt.Errorf("the state changed on its way through JSON: %s", diff)
	}
	if diff := same(Next(s), Next(back)); diff != "" {
		return fmt.Errorf("the next action changed on its way through JSON: %s", diff)
	}
	name, data, err := Encode(e)
	if err != nil {
		return err
	}
	again, err := Decode(name, data)
	if err != nil {
		return err
	}
	if diff := same(e, again); diff != "" {
		return fmt.Errorf("the event changed on its way through JSON: %s", diff)
	}
	return nil
}

// kept: failed work is kept exactly once where there was a worktree, and work
// that passed or is only paused never.
func (au *audit) kept(s State) error {
	failed := s.Status == StatusFailed || s.Status == Aborted
	switch {
	case failed && s.Worktree != "" && au.keeps != 1:
		return fmt.Errorf("%s/%s kept its work %d times", s.Status, s.Reason, au.keeps)
	case (s.Worktree == "" || s.Ending == nil || s.Ending.Status == StatusPassed) && (au.keeps != 0 || s.FailureRef != ""):
		return fmt.Errorf("%s/%s kept its work on %q", s.Status, s.Reason, s.FailureRef)
	}
	return nil
}

// proved: a loop that passed has a passed result of every hard gate about one
// commit, or one tree, and nothing that is refused; and where the base was green, its work differs.
func proved(s State) error {
	if s.Status != StatusPassed {
		return nil
	}
	if s.Reason == AlreadyGreen {
		if !s.StopIfGreen || s.Force || s.Iteration != 0 {
			return fmt.Errorf("already green with until %t, force %t, iteration %d", s.StopIfGreen, s.Force, s.Iteration)
		}
		return s.Founded()
	}
	a := s.Recent[len(s.Recent)-1]
	if err := depends(s, a); err != nil {
		return err
	}
	if s.Mode == Supervised && s.BaseGreen && !s.Differs {
		return fmt.Errorf("passed with an empty diff on a green base")
	}
	if a.Passes != max(s.Limits.ConfirmPasses, 1) {
		return fmt.Errorf("passed after %d of %d passes", a.Passes, s.Limits.ConfirmPasses)
	}
	for _, c := range s.Concerns() {
		if slices.Contains(s.Refuse, c.Code) {
			return fmt.Errorf("passed with what is refused: %s", c.What)
		}
	}
	if s.Verify {
		for _, r := range a.Results {
			if g, _ := s.Gate(r.Gate); r.Verdict == Passed && !g.IsReview() && r.Room != RoomOverlay && r.Room != RoomCopy {
				return fmt.Errorf("passed with a result of %s in room %q", r.Gate, r.Room)
			}
		}
		if len(s.BaseResults) == 0 && len(s.hard()) > 0 {
			return fmt.Errorf("passed without a look at the base")
		}
	}
	return s.Founded()
}

// depends: something is red without the work, on the very commit, or a spec review
// that was allowed to stands for it, or nothing was asked.
func depends(s State, a Attempt) error {
	measured := slices.ContainsFunc(s.Gates, func(g Gate) bool { return g.Level != Soft && g.Kind != KindReview && g.Kind != KindHuman })
	p := a.Proof
	label := s.ProofLabel()
	switch {
	case s.Mode == AgentDriven && !s.Verify:
		return nil
	case p == nil:
		return fmt.Errorf("passed without a word about its proof")
	case p.Commit != a.Commit:
		return fmt.Errorf("proved about %q, passed with %q", p.Commit, a.Commit)
	case p.Red != "" && label == Unproved, p.Red == "" && p.Review == "" && label != Unproved:
		return fmt.Errorf("red by %q is called %q", p.Red, label)
	case p.OnBase && !slices.ContainsFunc(s.BaseResults, func(r Result) bool { return r.Gate == p.Gate && r.Verdict == Failed }):
		return fmt.Errorf("gate %s was not red on the base", p.Gate)
	case p.OnBase && s.Proof != "" && !slices.ContainsFunc(s.BaseAgain, func(r Result) bool { return r.Gate == p.Gate && r.Verdict == Failed }):
		return fmt.Errorf("gate %s was red on the base once", p.Gate)
	case p.Review != "" && (s.Proof != ProofReview || !slices.ContainsFunc(a.Results, func(r Result) bool { return r.Gate == p.Review && r.Verdict == Passed })):
		return fmt.Errorf("review %q stands for a proof of kind %q", p.Review, s.Proof)
	case p.Red != "" || p.Review != "" || p.Measured || s.Proof == "" || s.Proof == ProofNone || s.Task.Kind == KindRefactor || !measured:
		return nil
	}
	return fmt.Errorf("passed, and nothing is red without the work: %s", p.Why)
}
