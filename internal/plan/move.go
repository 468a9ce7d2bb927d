package plan

import "ralph/internal/loop"

// A plan moves from one engine to another as a loop does (loop.Move), and its loops with it.
// Its tasks, its tip and its findings are the same there; its file has the path of the
// machine.

// Transit returns the part of the state that a move changes.
func (s *State) Transit() loop.Transit {
	return loop.Transit{
		Standing: loop.Standing{Status: s.Status, Reason: s.Reason, Message: s.Message}, EndedAt: s.EndedAt,
		Move: s.Move, Partial: s.Partial, Origin: s.Origin,
	}
}

// adopt takes over what a move changed.
func (s *State) adopt(t loop.Transit) {
	s.Status, s.Reason, s.Message, s.EndedAt = t.Status, t.Reason, t.Message, t.EndedAt
	s.Move, s.Partial, s.Origin = t.Move, t.Partial, t.Origin
}

// adoptUnless adopts a step of a move that is not refused.
func (s *State) adoptUnless(t loop.Transit, refusal string) string {
	if refusal == "" {
		s.adopt(t)
	}
	return refusal
}

// Away reports whether the plan has left this store.
func (s *State) Away() bool { return s.Transit().Away() }

// Moving returns the ends of a move that has not been completed: the plan is leaving this
// store, or arrives here.
func (s *State) Moving() (from, to loop.Home, moving bool) { return s.Transit().Moving() }

// Incomplete returns the state as a store keeps it that has not got all events yet: nothing
// continues from it.
func (s State) Incomplete(from, to loop.Home) State {
	s.adopt(s.Transit().Suspend(from, to))
	return s
}

// Unmoved returns the state as it stands apart from a move.
func (s State) Unmoved() State {
	s.adopt(s.Transit().Unmove())
	return s
}

// Immovable returns why the plan cannot be moved to another engine; empty where it can, once
// it rests. withPlan: it is run in the place of a task, and moves with the plan around it, which
// accepts its work by landing it.
func (s *State) Immovable(withPlan bool) string {
	switch {
	case s.Accepted != "" && !withPlan:
		return "its work is accepted"
	case s.Reason == loop.Damaged:
		return "its record is damaged"
	}
	return ""
}

// AtRest reports whether the plan may begin to move as it stands: it has ended, is paused, or
// waits for a person. One that moves with the plan around it may also wait for that plan to
// begin it.
func (s *State) AtRest(withPlan bool) bool {
	return !s.NeedsProcess() || withPlan && s.Status == loop.Pending && s.StartedAt.IsZero()
}

// MoveBegan is the intent to move the plan, recorded before the act.
type MoveBegan struct {
	Stamp
	From loop.Home `json:"from"`
	To   loop.Home `json:"to"`
	// WithPlan: the plan in whose task's place it is run moves, and it goes along.
	WithPlan bool `json:"with_plan,omitempty"`
}

func (MoveBegan) Name() string { return "plan_move_began" }

// Describe names where it goes.
func (e MoveBegan) Describe() string { return "the plan is being moved to " + e.To.String() }

func (MoveBegan) afterEnd() {}

func (e MoveBegan) apply(s *State) string {
	switch why := s.Immovable(e.WithPlan); {
	case why != "":
		return why
	case !s.AtRest(e.WithPlan):
		return "it does not rest"
	}
	return s.adoptUnless(s.Transit().Begin(e.From, e.To, e.At))
}

// MovedAway ends the record in the store that the plan leaves.
type MovedAway struct {
	Stamp
}

func (MovedAway) Name() string { return "plan_moved_away" }

// Describe says that it left.
func (MovedAway) Describe() string { return "the plan has moved" }

func (e MovedAway) apply(s *State) string {
	return s.adoptUnless(s.Transit().Leave(e.At))
}

// Arrived continues the plan in the store where it is recorded: the one that it moved to, or
// the one that it did not leave after all.
type Arrived struct {
	Stamp
	// Abandoned is that of loop.Arrived.
	Abandoned string `json:"abandoned,omitempty"`
}

func (Arrived) Name() string { return "plan_arrived" }

// Describe says that it is here, and names a server that was given up.
func (e Arrived) Describe() string {
	if e.Abandoned == "" {
		return "the plan is here"
	}
	return "the plan continues here, without what was done on " + e.Abandoned
}

func (Arrived) afterEnd() {}

func (Arrived) apply(s *State) string {
	return s.adoptUnless(s.Transit().Arrive())
}

// inTransit returns why an event cannot happen to a plan that has left, or is leaving. moves
// reports whether it is a part of a move, which leaves the tasks as they are.
func (s *State) inTransit(e Event) (refusal string, moves bool) {
	_, leaves := e.(MovedAway)
	_, arrives := e.(Arrived)
	return s.Transit().Refusal(leaves, arrives), Moves(e)
}

// Moves reports whether an event is a step of a move, which leaves the work as it is.
func Moves(e Event) bool {
	switch e.(type) {
	case MoveBegan, MovedAway, Arrived:
		return true
	}
	return false
}
