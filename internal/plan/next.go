package plan

import (
	"fmt"
	"time"

	"ralph/internal/loop"
)

// Do is a kind of action for a plan. The set is closed.
type Do string

// The actions. Start only chooses a task: its loop is run by DoRun, which is
// asked for until the loop has stopped.
const (
	DoStart      Do = "start"
	DoRun        Do = "run"
	DoReview     Do = "review"
	DoLand       Do = "land"
	DoAsk        Do = "ask"
	DoProve      Do = "prove"
	DoReviewPlan Do = "review_plan"
	DoRest       Do = "rest"
)

// Action is one thing to do now. Those of one call may run side by side.
type Action struct {
	Do Do
	// Key is the same each time this very action is asked for.
	Key  string
	Task string
	Loop string
	// Plans: the loop to start writes how the task is to be done.
	Plans bool
	// Most attempts that the loop to start may have.
	Most int
	// After is when a review is due; zero is now.
	After time.Time
	// Rest describes a run in which nothing can continue.
	Rest Rested
}

// Next returns what can be done now. It depends on its arguments alone, so that after
// a crash the same is asked for again. touched are the files that the loops of a
// task have changed so far, besides those that it declares: of the loop under way,
// and of those before.
func Next(g *Graph, s State, touched map[string][]string) []Action {
	if s.Status.Terminal() || s.Status == loop.Pending {
		return nil
	}
	c := newChooser(g, &s, touched)
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.busy() {
			c.occupy(t.ID)
		}
	}
	c.underWay()
	if s.Stage == Working && !s.PauseAsked && s.Status != loop.Paused {
		c.questions()
		c.start()
	}
	c.closing()
	if len(c.out) == 0 {
		c.rest()
	}
	return c.out
}

type chooser struct {
	g   *Graph
	s   *State
	at  map[string]*TaskState
	out []Action
	// wanted are the tasks that the run is about, by their number in the graph; nil is all.
	wanted []bool
	// busy loops count against the limit.
	busy int
	// touched are the files that loops have changed, by task. Of the tasks that
	// an agent is at work on, declared are the globs and changed the files.
	touched  map[string][]string
	declared []string
	changed  map[string]bool
}

func newChooser(g *Graph, s *State, touched map[string][]string) *chooser {
	c := &chooser{g: g, s: s, at: make(map[string]*TaskState, len(s.Tasks)), wanted: g.wanted(s.Rules.Only), touched: touched}
	for i := range s.Tasks {
		c.at[s.Tasks[i].ID] = &s.Tasks[i]
	}
	return c
}

// wants reports whether the run is about a task. What others failed of before decides
// nothing in it.
func (c *chooser) wants(id string) bool {
	i, ok := c.g.index[id]
	return c.wanted == nil || ok && c.wanted[i]
}

func (c *chooser) add(do Do, t *TaskState, key string) *Action {
	a := Action{Do: do, Key: string(do) + "/" + key}
	if t != nil {
		a.Task, a.Loop = t.ID, t.Loop
	}
	c.out = append(c.out, a)
	return &c.out[len(c.out)-1]
}

// underWay returns the work that has begun: loops, reviews, and the landing
// whose turn it is.
func (c *chooser) underWay() {
	var landing *TaskState
	for i := range c.s.Tasks {
		switch t := &c.s.Tasks[i]; t.Status {
		case Running, Approving:
			if t.Rests == "" || t.paused() {
				c.busy++
			}
			if t.Rests == "" {
				c.add(DoRun, t, fmt.Sprintf("%s/%d", t.Loop, t.Turns))
			}
		case InReview:
			// A run that is to pause starts no new waits.
			if t.Rests == "" && (!c.s.PauseAsked || t.Held.Until.IsZero()) {
				c.add(DoReview, t, t.Loop).After = t.Held.Until
			}
		case Landing:
			if t.Rests == "" && (landing == nil || t.Onto != "" || landing.Onto == "" && t.Queue < landing.Queue) {
				landing = t
			}
		}
	}
	// Work that has not begun to land stays in the queue of a run that is to
	// pause.
	if landing != nil && (landing.Onto != "" || !c.s.PauseAsked && c.s.Status != loop.Paused) {
		c.add(DoLand, landing, fmt.Sprintf("%s/%s/%s/%d", landing.Loop, landing.Commit, landing.Repair, landing.Turns))
	}
}

// closing proves the whole, then has it reviewed.
func (c *chooser) closing() {
	switch {
	case c.s.PauseAsked || len(c.out) > 0:
	case c.s.Stage == Proving && c.s.FinalRests == "":
		c.add(DoProve, nil, fmt.Sprintf("%s/%s/%d", c.s.Tip, c.s.Final, c.s.FinalTurns))
	case c.s.Stage == Reviewing && c.s.OpenQuestion() == nil:
		c.add(DoReviewPlan, nil, c.s.Tip).After = c.s.Held.Until
	}
}
