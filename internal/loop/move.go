package loop

import (
	"slices"
	"strings"
)

// A loop moves from one engine to another: the same journal, in two stores. Both have
// the same events up to MovedAway; the ones after it are recorded where the loop went,
// Arrived first. So the loop can continue in one store only, and when it comes back the
// events that are missing follow those that are there.
//
//	where it was                where it goes
//	MoveBegan ── paused ──────▶ the events so far, not complete: Partial
//	                            MovedAway, Arrived
//	MovedAway ── moved
//
// Between MoveBegan and Arrived neither store continues it, and the move can be
// repeated from every step.

// Home is where a loop is kept.
type Home struct {
	// Engine is the address of a server, or LocalEngine.
	Engine string `json:"engine"`
	// Place is the host and the repository of the local engine, for people; Machine tells
	// machines apart.
	Place   string `json:"place,omitempty"`
	Machine string `json:"machine,omitempty"`
}

// LocalEngine is the engine that keeps loops in a database of the repository.
const LocalEngine = "local"

// String returns the place, or the address without what is only for programs.
func (h Home) String() string {
	if h.Place == "" {
		return h.address()
	}
	return h.Place
}

// address is that of the server, without the folder of its files.
func (h Home) address() string {
	server, _, _ := strings.Cut(h.Engine, "?")
	return server
}

// Same reports whether two homes are one store. The folder of a server's files is no part
// of it.
func (h Home) Same(other Home) bool {
	if h.Engine == LocalEngine || other.Engine == LocalEngine {
		return h.Engine == other.Engine && h.repository() == other.repository() && h.Machine == other.Machine
	}
	return h.address() == other.address()
}

// repository is the place without the name of its host, which may change.
func (h Home) repository() string {
	_, path, _ := strings.Cut(h.Place, ":")
	return path
}

// Transit returns the part of the state that a move changes.
func (s *State) Transit() Transit {
	return Transit{
		Standing: Standing{Status: s.Status, Reason: s.Reason, Message: s.Message}, EndedAt: s.EndedAt,
		Move: s.Move, Partial: s.Partial, Origin: s.Origin,
	}
}

// adopt takes over what a move changed.
func (s *State) adopt(t Transit) {
	s.Status, s.Reason, s.Message, s.EndedAt = t.Status, t.Reason, t.Message, t.EndedAt
	s.Move, s.Partial, s.Origin = t.Move, t.Partial, t.Origin
}

// adoptUnless adopts a step of a move that is not refused.
func (s *State) adoptUnless(t Transit, refusal string) string {
	if refusal == "" {
		s.adopt(t)
	}
	return refusal
}

// Away reports whether the loop has left this store.
func (s *State) Away() bool { return s.Transit().Away() }

// Moving returns the ends of a move that has not been completed: the loop is leaving this
// store, or arrives here.
func (s *State) Moving() (from, to Home, moving bool) { return s.Transit().Moving() }

// Incomplete returns the state as a store keeps it that has not got all events yet: nothing
// continues from it.
func (s State) Incomplete(from, to Home) State {
	s.adopt(s.Transit().Suspend(from, to))
	return s
}

// Complete undoes Incomplete.
func (s State) Complete() State {
	s.adopt(s.Transit().Complete())
	return s
}

// Unmoved returns the state as it stands apart from a move.
func (s State) Unmoved() State {
	s.adopt(s.Transit().Unmove())
	return s
}

// inTransit returns why an event cannot happen to a loop that has left, or is leaving.
func (s *State) inTransit(e Event) string {
	_, leaves := e.(MovedAway)
	_, arrives := e.(Arrived)
	return s.Transit().Refusal(leaves, arrives)
}

// Immovable returns why the loop cannot be moved to another engine; empty where it can,
// once it rests. It names what the loop needs of one machine. A loop of a plan moves with
// the plan only.
func (s *State) Immovable(withPlan bool) string {
	switch {
	case s.Mode == AgentDriven:
		return "its agent drives it, in your own tree"
	case s.Parent != "" && !withPlan:
		return "it belongs to " + s.Parent + ", and moves with it only"
	case s.InPlace:
		return "it works in your own tree (--in-place)"
	case s.WithChanges:
		return "it began with uncommitted changes of your tree (--with-changes)"
	case len(s.Copy) > 0:
		return "it needs files of this machine (isolation.copy)"
	case slices.ContainsFunc(s.Gates, func(g Gate) bool { return g.Hidden }):
		return "it has a hidden gate, whose files are on this machine"
	case s.SpentLevel == SessionLevel && s.Status == Paused:
		return "the budget of its session is used up, and that session is on this machine"
	case s.Reason == Imported:
		return "another runner ran it"
	case s.Accepted != "":
		return "its work is accepted"
	}
	return ""
}

// AtRest reports whether the loop may begin to move as it stands: it has ended, is
// paused, or waits for a person.
func (s *State) AtRest() bool {
	return !s.Began && (s.Status.Terminal() || s.Status == Paused || s.Status == Waiting && s.Reason == ForHuman)
}

// MoveBegan is the intent to move the loop, recorded before the act.
type MoveBegan struct {
	Stamp
	From Home `json:"from"`
	To   Home `json:"to"`
	// WithPlan: the plan that the loop belongs to moves.
	WithPlan bool `json:"with_plan,omitempty"`
}

func (MoveBegan) Name() string { return "move_began" }

// Describe names where it goes.
func (e MoveBegan) Describe() string { return "to " + e.To.address() }

func (MoveBegan) afterEnd() {}

func (e MoveBegan) apply(s *State) string {
	switch why := s.Immovable(e.WithPlan); {
	case why != "":
		return why
	case !s.AtRest():
		return "it does not rest"
	}
	return s.adoptUnless(s.Transit().Begin(e.From, e.To, e.At))
}

// MovedAway ends the record in the store that the loop leaves.
type MovedAway struct {
	Stamp
}

func (MovedAway) Name() string { return "moved_away" }

// apply ends the loop here. The trees of this machine are handed back.
func (e MovedAway) apply(s *State) string {
	refusal := s.adoptUnless(s.Transit().Leave(e.At))
	if refusal == "" {
		s.Root = ""
	}
	return refusal
}

// Arrived continues the loop in the store where it is recorded: the one that it moved
// to, or the one that it did not leave after all.
type Arrived struct {
	Stamp
	// Abandoned is the server that is lost, where a person continues the loop from the record
	// that it left behind; what happened there is not known here.
	Abandoned string `json:"abandoned,omitempty"`
}

func (Arrived) Name() string { return "arrived" }

// Describe names a server that was given up.
func (e Arrived) Describe() string {
	if e.Abandoned == "" {
		return ""
	}
	return "without what was done on " + e.Abandoned
}

func (Arrived) afterEnd() {}

func (Arrived) apply(s *State) string {
	return s.adoptUnless(s.Transit().Arrive())
}
