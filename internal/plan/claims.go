package plan

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
)

// What an agent writes decides nothing, and a plan's file can be written by
// agents too. A box that is ticked while agents are at work is a claim: it is
// put to a person, and the task is not begun meanwhile.

// The answers.
const (
	sayDone   = "take them as done"
	sayWorkOn = "work on them"
)

// askClaims asks about what was ticked, unless that is asked already.
func (s *State) askClaims(at time.Time) {
	var ids []string
	for _, t := range s.Tasks {
		if t.Claimed {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	text := "ticked in the plan's file while agents were at work, and proved by nothing: " + strings.Join(ids, ", ")
	for i := range s.Questions {
		if q := &s.Questions[i]; q.About == AboutClaims && !q.Answered {
			q.Text = text
			return
		}
	}
	s.question(at, Question{
		About: AboutClaims, No: sayWorkOn, Question: loop.Question{Text: text, Options: []string{sayDone, sayWorkOn}},
	})
}

// settleClaims does what a person said of ticked boxes.
func (s *State) settleClaims(q Question, by string) {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if !t.Claimed {
			continue
		}
		t.Claimed, t.Insist = false, true
		if q.says(sayDone) {
			t.Status, t.Message = Done, fmt.Sprintf("taken as done by %s; nothing proves it", by)
		}
	}
}
