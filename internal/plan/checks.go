package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// A command that a plan's file proposes as a check of a task runs only once a person has
// approved it. One that comes after the run began holds its task: no person was told then
// that the task would be worked on without it.

// AboutChecks: a task proposes commands that a person has not approved.
const AboutChecks Topic = "checks"

// The answers are sayApprove, and this.
const sayWithout = "work without it"

// between commands in the state of a task; no command holds it.
const between = "\x00"

// Proposed: of all tasks that are open, these propose commands that no person has approved,
// or decided to leave out.
type Proposed struct {
	Stamp
	// Commands by task.
	Commands map[string][]string `json:"commands,omitempty"`
}

func (Proposed) Name() string { return "plan_proposed" }

func (e Proposed) Describe() string {
	return amount(len(e.Commands), "a task proposes a check that is not approved", "tasks that propose checks that are not approved: %d")
}

func (e Proposed) apply(s *State) string {
	for i := range s.Tasks {
		t := &s.Tasks[i]
		t.Proposes = strings.Join(e.Commands[t.ID], between)
		s.askChecks(e.At, t)
	}
	return ""
}

// askChecks asks about the commands that a task proposes now. A question about others is
// withdrawn: its answer would approve what no person has read.
func (s *State) askChecks(at time.Time, t *TaskState) {
	text := fmt.Sprintf("%s proposes a check that is not approved, and waits. It would run on this machine: %s",
		t.ID, strings.ReplaceAll(t.Proposes, between, " · "))
	for i := range s.Questions {
		switch q := &s.Questions[i]; {
		case q.About != AboutChecks || q.Task != t.ID || q.Answered:
		case q.Text == text:
			return
		default:
			q.Answered, q.Withdrawn = true, true
		}
	}
	if t.Proposes != "" {
		s.question(at, Question{
			About: AboutChecks, Task: t.ID, Question: loop.Question{Text: text, Options: []string{sayApprove, sayWithout}},
		})
	}
}

// decideChecks carries out a person's decision about the commands of a task.
func (s *State) decideChecks(q Question) {
	t := s.Task(q.Task)
	if t == nil {
		return
	}
	if q.is(sayApprove) {
		s.Checks = append(s.Checks, strings.Split(t.Proposes, between)...)
	} else {
		t.Without = t.Proposes
	}
	t.Proposes = ""
}

// ProposesAll reports whether these are the commands that the task waits with.
func (t *TaskState) ProposesAll(commands []string) bool {
	return t.Proposes == strings.Join(commands, between)
}

// GoesWithout reports whether a person decided that the task is worked on without a check
// that it proposes.
func (t *TaskState) GoesWithout(command string) bool {
	return slices.Contains(strings.Split(t.Without, between), command)
}
