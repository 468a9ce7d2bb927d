package plan

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// What an agent writes decides nothing, and a plan's file can be written by
// agents too. A box that is ticked while agents are at work is a claim: it is
// put to a person, and the task is not begun meanwhile.

// claimsQuestion begins what is asked about such boxes.
const claimsQuestion = "ticked in the plan's file while agents were at work, and proved by nothing: "

// askClaims asks about what was ticked, unless that is asked already.
func (s *State) askClaims(e Read) {
	var ids []string
	for _, t := range s.Tasks {
		if t.Claimed {
			ids = append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	text := claimsQuestion + strings.Join(ids, ", ")
	if q := s.OpenQuestion(); q != nil && strings.HasPrefix(q.Text, claimsQuestion) {
		q.Text = text
		return
	}
	s.question(Asked{e.Stamp, loop.Question{Text: text, Options: []string{takeAsDone, workOnThem}}})
}

// The answers.
const (
	takeAsDone = "take them as done"
	workOnThem = "work on them"
)

// settleClaims does what a person said of ticked boxes.
func (s *State) settleClaims(q *loop.Question, by string) {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		if !t.Claimed {
			continue
		}
		t.Claimed, t.Insist = false, true
		if strings.EqualFold(strings.TrimSpace(q.Answer), takeAsDone) {
			t.Status, t.Message = Done, fmt.Sprintf("taken as done by %s; nothing proves it", by)
		}
	}
}
