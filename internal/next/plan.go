package next

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// PlanFacts are observations about a plan beyond its recorded state.
type PlanFacts struct {
	Live, Crashed, Archived bool
	// Asks are the commands that answer the questions of its tasks, oldest first.
	Asks []string
	// Answered: it waits for a person, and no question of it or of its tasks is open.
	Answered bool
	// AtLimit: a loop of it waits for its agent's provider, or for the end of quiet hours.
	AtLimit bool
	// Absent are runs of failed tasks that never began, or were deleted.
	Absent map[string]bool
}

// Plan returns the command to type now; empty where there is none.
func Plan(s plan.State, f PlanFacts) string {
	if _, to, moving := s.Moving(); moving {
		return Move(s.ID, to)
	}
	if s.Away() {
		return At(s.Move.To, Show(s.ID))
	}
	switch {
	case s.Reason == loop.Damaged:
		return Doctor("--fix")
	case s.OpenQuestion() != nil, len(f.Asks) > 0:
		return answerFirst(s, f.Asks)
	case f.Crashed:
		return Resume(s.ID)
	case s.Status == loop.Running && (f.AtLimit || len(s.ReviewHolds()) > 0):
		return Resume(s.ID, "--now")
	case s.Status == loop.Paused && s.Reason == loop.Budget:
		return Resume(s.ID, "--budget …")
	case s.Status == loop.Paused:
		return Resume(s.ID)
	case s.Conflict() != nil && !f.Archived:
		return merge(s.Branch)
	case s.Status == loop.StatusPassed && s.Tip != s.Base && s.Accepted == "" && !f.Archived:
		return Accept(s.ID)
	case s.Status == loop.StatusPassed && s.Reason == plan.PartDone && !f.Archived:
		return theRest(s)
	case s.Status == loop.StatusPassed:
		return ""
	case s.Status == loop.Waiting && s.Reason == loop.ForHuman && f.Answered && !f.Live:
		return Resume(s.ID)
	case s.Status == loop.Waiting:
		for _, t := range s.Tasks {
			if t.Rests == loop.ForHuman {
				return Answer(t.Loop, Blank)
			}
		}
		return ""
	case s.Status.Terminal():
		return afterFailedPlan(s, f)
	}
	return ""
}

func afterFailedPlan(s plan.State, f PlanFacts) string {
	switch {
	case s.Reason == plan.Unproved && s.Final != "":
		return Show(s.Final, "--evidence")
	case s.Status == loop.Aborted && s.Reason == loop.Budget:
		return again(s, spentFlag(s))
	}
	for _, t := range s.Tasks {
		if t.Status == plan.Failed && t.Loop != "" && !f.Absent[t.Loop] {
			return Show(t.Loop)
		}
	}
	return again(s)
}

// Again returns the command that continues a plan that ended short of its goal, or of
// which only some tasks were asked for; empty where there is none. It tries again what has
// failed.
func Again(s plan.State, archived bool) string {
	if s.Status == loop.StatusPassed && s.Reason == plan.PartDone && !archived {
		return theRest(s)
	}
	if !s.Status.Terminal() || s.Status == loop.StatusPassed || s.Reason == loop.Damaged || s.Away() || archived {
		return ""
	}
	if s.Status == loop.Aborted && s.Reason == loop.Budget {
		return again(s, spentFlag(s))
	}
	return again(s)
}

// RunAgain runs a plan's file again, with the flags that it was started with. Those in
// more take the place of the same ones.
func RunAgain(file string, r plan.Rules, more ...string) string {
	var flags []string
	for _, f := range flagsBut(r, more) {
		flags = append(flags, word(f))
	}
	return Run(file, append(flags, more...)...)
}

// flagsBut are the flags that a plan was started with, without those in more.
func flagsBut(r plan.Rules, more []string) (flags []string) {
	for n := 0; n < len(r.Flags); n++ {
		if slices.ContainsFunc(more, func(m string) bool { return strings.HasPrefix(m, r.Flags[n]+" ") }) {
			n++ // its value
			continue
		}
		flags = append(flags, r.Flags[n])
	}
	return flags
}

// AgainArgs are the arguments of the command of Again, in the background; nil where there
// is none, or where a person has to fill in a value.
func AgainArgs(s plan.State, archived bool) []string {
	words := Again(s, archived)
	if words == "" || strings.Contains(words, "…") {
		return nil
	}
	r := s.Rules
	if s.Status == loop.StatusPassed {
		r = withoutTasks(r)
	}
	args := append([]string{"run"}, r.Flags...)
	if !slices.Contains(args, "--detach") {
		args = append(args, "--detach")
	}
	return append(args, "--", s.File)
}

// theRest continues a plan of which only some tasks were asked for: with all that is left.
func theRest(s plan.State) string { return RunAgain(s.File, withoutTasks(s.Rules)) }

// withoutTasks are the rules without the tasks that were asked for.
func withoutTasks(r plan.Rules) plan.Rules {
	all := r.Flags
	r.Flags = nil
	for n := 0; n < len(all); n++ {
		if all[n] == "--task" {
			n++ // its value
			continue
		}
		r.Flags = append(r.Flags, all[n])
	}
	return r
}

func again(s plan.State, more ...string) string { return RunAgain(s.File, s.Rules, more...) }

// Take returns the command that accepts what landed of a plan that ended short of
// its goal; empty where there is none, or it met a conflict (see Plan).
func Take(s plan.State, archived bool) string {
	if s.Conflict() != nil || !s.Status.Terminal() || s.Status == loop.StatusPassed || s.Tip == s.Base || s.Accepted != "" || s.Away() || archived {
		return ""
	}
	return Accept(s.ID)
}

// AnswerNewest answers the newest question of a plan and its tasks.
func AnswerNewest(s plan.State) string {
	others := slices.ContainsFunc(s.Tasks, func(t plan.TaskState) bool { return t.Rests == loop.ForHuman })
	switch open := s.OpenQuestions(); {
	case len(open) > 1 || len(open) == 1 && others:
		return AnswerOwn(s.ID, open[len(open)-1])
	case len(open) == 1:
		return answerOne(s.ID, open[0].Question)
	}
	return Answer(s.ID, Blank)
}

// answerFirst answers the oldest question of a plan.
func answerFirst(s plan.State, asks []string) string {
	own := s.OpenQuestions()
	switch {
	case len(own) == 1 && len(asks) == 0:
		return answerOne(s.ID, own[0].Question)
	case len(own) > 0:
		return AnswerOwn(s.ID, own[0])
	}
	return asks[0]
}

// spentFlag returns the flag that raises the exhausted limit of a plan: attempts
// where its rules count them, else its budget.
func spentFlag(s plan.State) string {
	unpaid := func(t plan.TaskState) bool { return t.Status == plan.Failed && t.Reason == loop.Budget }
	if s.Attempts >= s.Budget() && !slices.ContainsFunc(s.Tasks, unpaid) {
		return "--max-attempts …"
	}
	return "--budget …"
}

// TaskFacts are observations about a task of a plan beyond its recorded state.
type TaskFacts struct {
	// Plan is the id of the plan's run.
	Plan string
	// Asks: the task waits for a person. Asker is the loop that asks, where it was
	// read; Loop is the command to type for the loop that works on the task.
	Asks        bool
	Asker, Loop string
}

// Task returns the command to type for a task of a plan; empty where there is none.
func Task(t plan.TaskState, f TaskFacts) string {
	switch {
	case t.Status == plan.Failed:
		return Show(cmp.Or(t.Repair, t.Loop, f.Plan))
	case !f.Asks:
		return ""
	}
	return cmp.Or(f.Loop, Answer(cmp.Or(f.Asker, t.Loop), Blank))
}
