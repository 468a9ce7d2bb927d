package engine

import (
	"cmp"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// MovedError is returned for a run that is kept elsewhere, or on its way.
type MovedError struct {
	ID string
	// From is where it was, To where it is or goes.
	From, To loop.Home
	// Plan: the run is a plan.
	Plan bool
	// With is the plan that it moves with, the outermost one; empty: it moves by itself.
	With string
	// Moving: the move is not complete; Here: it comes here.
	Moving, Here bool
}

// MovedOf returns a *MovedError for a loop that left the store which has this state, or has
// not arrived there; else nil.
func MovedOf(s loop.State) error {
	return moved(s.ID, false, s.Transit())
}

// PlanMovedOf is MovedOf for a plan.
func PlanMovedOf(s plan.State) error { return moved(s.ID, true, s.Transit()) }

func moved(id string, isPlan bool, t loop.Transit) error {
	switch from, to, moving := t.Moving(); {
	case moving:
		return &MovedError{ID: id, Plan: isPlan, From: from, To: to, Moving: true, Here: t.Partial != nil}
	case t.Away():
		return &MovedError{ID: id, Plan: isPlan, From: t.Move.From, To: t.Move.To}
	}
	return nil
}

func (e *MovedError) Error() string {
	switch {
	case e.Here:
		return fmt.Sprintf("%s %s is being moved here, and its record is not complete yet", noun(e.Plan), e.ID)
	case e.Moving:
		return fmt.Sprintf("%s %s is being moved to %s", noun(e.Plan), e.ID, e.To)
	}
	return fmt.Sprintf("%s %s was moved to %s", noun(e.Plan), e.ID, e.To)
}

// Hint returns the commands that continue.
func (e *MovedError) Hint() string { return e.HintFor(next.Show(e.ID)) }

// HintFor is Hint for a command that is to be typed where the run is now.
func (e *MovedError) HintFor(command string) string {
	moves := cmp.Or(e.With, e.ID)
	switch {
	case e.Moving && !e.Here && e.To.Engine != loop.LocalEngine:
		return "complete the move: " + next.Move(moves, e.To) + "; or take it back: " + next.Move(moves, loop.Home{Engine: loop.LocalEngine})
	case e.Moving:
		return "complete the move: " + next.Move(moves, e.To) + e.cloneLost(moves)
	}
	there := next.At(e.To, command)
	if e.To.Engine == loop.LocalEngine {
		return there + e.cloneLost(moves)
	}
	there += "; bring it here: " + next.Move(moves, loop.Home{Engine: loop.LocalEngine}) + "; if that server is lost for good, continue here from before the move: " + next.AbandonServer(moves)
	if e.Plan && moves == e.ID {
		there += "; or begin anew here: " + next.Run("FILE", "--fresh", "--abandon-moved")
	}
	return there
}

// cloneLost is what to do where the clone to which a run of a server goes, or went, is lost.
func (e *MovedError) cloneLost(moves string) string {
	if e.Here || e.To.Engine != loop.LocalEngine || e.From.Engine == "" || e.From.Engine == loop.LocalEngine {
		return ""
	}
	return "; if that clone is lost for good, continue on the server from before the move: " + next.AbandonClone(moves, e.From)
}
