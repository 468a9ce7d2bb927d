package view

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// This file decides what its reader is told to type next: for a loop (Next), a
// plan (PlanNext) and a task (taskNext). Every renderer asks it.

// Next returns the command to type now; empty while the loop runs by itself.
func Next(s loop.State, f Facts) string {
	switch {
	case s.InPlan() && (Status(s, f) == Crashed || orphaned(s, f)):
		return "ralph resume " + s.Parent
	case Status(s, f) == Crashed, orphaned(s, f):
		return "ralph resume " + s.ID
	case s.Status == loop.Pending && f.Live:
		return ""
	case s.Reason == loop.AlreadyGreen && !s.InPlan() && len(s.Gates) == 1:
		return "ralph run " + quoted(s.Task.Text) + " --until " + quoted(s.Gates[0].Run) + " --force"
	case s.Status == loop.Waiting && s.Reason == loop.ForHuman:
		return answerCommand(s.ID, proposal(s.Open()))
	}
	return s.NextCommand()
}

// commands returns what a person may want to type with its label, the next
// command first.
func commands(s loop.State) [][2]string {
	next := Next(s, Facts{})
	out := [][2]string{{"next", next}}
	add := func(name, command string) {
		if command != next && !strings.HasPrefix(next, command+" ") {
			out = append(out, [2]string{name, command})
		}
	}
	switch {
	case s.Reason == loop.AlreadyGreen, s.Reason == loop.Imported:
	case s.Status == loop.StatusPassed:
		add("review", "ralph show "+s.ID+" --diff")
	case s.InPlan():
	default:
		add("retry", "ralph retry "+s.ID)
	}
	return out
}

// PlanNext returns the command to type now; empty where there is none.
func PlanNext(s plan.State, f PlanFacts) string {
	switch {
	case f.Crashed:
		return "ralph resume " + s.ID
	case s.OpenQuestion() != nil, len(f.Asks) > 0:
		return answerFirst(s, f.Asks)
	case s.Status == loop.Running && atLimit(s, f):
		return "ralph resume " + s.ID + " --now"
	case s.Status == loop.Paused && s.Reason == loop.Budget:
		return "ralph resume " + s.ID + " --budget …"
	case s.Status == loop.Paused:
		return "ralph resume " + s.ID
	case s.Status == loop.StatusPassed && s.Tip != s.Base && s.Accepted == "" && !f.Archived:
		return "ralph accept " + s.ID
	case s.Status == loop.StatusPassed && s.Reason == plan.PartDone && !f.Archived:
		return "ralph run " + s.File // the rest of it
	case s.Status == loop.Waiting && s.Reason == loop.ForHuman && f.Asks != nil && !f.Live:
		return "ralph resume " + s.ID
	case s.Status == loop.Waiting:
		for _, t := range s.Tasks {
			if t.Rests == loop.ForHuman {
				return answerCommand(t.Loop, blank)
			}
		}
	case s.Reason == plan.Unproved && s.Final != "":
		return "ralph show " + s.Final + " --evidence"
	case s.Status == loop.Aborted && s.Reason == loop.Budget:
		return "ralph run " + s.File + " " + spentFlag(s)
	case s.Status.Terminal() && s.Status != loop.StatusPassed:
		for _, t := range s.Tasks {
			if t.Status == plan.Failed && t.Loop != "" && !f.Unborn[t.Loop] {
				return "ralph show " + t.Loop
			}
		}
		return "ralph run " + s.File
	}
	return ""
}

// next returns the command to type now. A plan that waits for a person although
// all of its questions are answered, and that no process runs, is to be resumed.
func (i PlanItem) next() string {
	s := i.State
	if s.Status == loop.Waiting && s.Reason == loop.ForHuman && s.OpenQuestion() == nil && !i.Facts.Live &&
		!slices.ContainsFunc(s.Tasks, i.asks) {
		return "ralph resume " + s.ID
	}
	return PlanNext(s, i.Facts)
}

// taskNext returns the command to type for a task of a plan; empty where there is
// none.
func (i PlanItem) taskNext(t PlanTask) string {
	s := t.record
	l, found := i.loopOf(cmp.Or(s.Repair, s.Loop))
	switch {
	case t.Status == plan.Failed:
		return "ralph show " + cmp.Or(s.Repair, s.Loop, i.State.ID)
	case !i.asks(s), resting(t) && found && !l.State.Status.Terminal():
		return ""
	case found:
		return Next(l.State, l.Facts)
	}
	if ask := i.askOf(t.ID); ask != nil {
		return answerCommand(ask.Loop, blank)
	}
	return answerCommand(s.Loop, blank)
}

// blank is an argument that the reader fills in.
const blank = `"…"`

// answerCommand returns the command that answers the question of a run.
func answerCommand(id, answer string) string { return "ralph answer " + id + " " + answer }

// AnswerOwn returns the command that answers one of a plan's own questions, among
// several.
func AnswerOwn(plan string, q plan.Question) string {
	switch {
	case q.Task != "" && loop.ValidID(q.Task) == nil:
		return answerCommand(plan, "--task "+q.Task+" "+blank)
	case q.Task != "":
		return answerCommand(plan, "--task "+quoted(q.Task)+" "+blank)
	}
	return answerCommand(plan, "--question "+q.ID+" "+blank)
}

// answerLast returns the command that answers the newest question of a plan and its
// tasks.
func answerLast(s plan.State) string {
	others := slices.ContainsFunc(s.Tasks, func(t plan.TaskState) bool { return t.Rests == loop.ForHuman })
	if open := s.OpenQuestions(); len(open) > 1 || len(open) == 1 && others {
		return AnswerOwn(s.ID, open[len(open)-1])
	}
	return answerCommand(s.ID, blank)
}

// answerFirst returns the command that answers the oldest question of a plan.
func answerFirst(s plan.State, asks []PlanAsk) string {
	own := s.OpenQuestions()
	switch {
	case len(own) == 1 && len(asks) == 0:
		return answerCommand(s.ID, blank)
	case len(own) > 0:
		return AnswerOwn(s.ID, own[0])
	}
	return asks[0].Next
}

// atLimit reports whether a loop or review of a plan waits for a usage limit.
func atLimit(s plan.State, f PlanFacts) bool {
	for _, l := range f.Loops {
		if l.Status == loop.Waiting && l.Reason == loop.ForLimit {
			return true
		}
	}
	return len(s.ReviewHolds()) > 0
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

// planTake returns the command that accepts what landed of a plan that ended short
// of its goal; empty where there is none.
func planTake(s plan.State, f PlanFacts) string {
	if !s.Status.Terminal() || s.Status == loop.StatusPassed || s.Tip == s.Base || s.Accepted != "" || f.Archived {
		return ""
	}
	return "ralph accept " + s.ID
}

// quoted returns s as one word of a shell. Text that is long, or would change when
// it is shown, is left blank.
func quoted(s string) string {
	if s != text.Line(s) || len(s) > 200 {
		return blank
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// harmless text may stand between double quotes in a command that a person pastes:
// agents write the options of their questions.
var harmless = lazyregexp.New(`^[\pL\pN][\pL\pN ._,:/+-]{0,39}$`)

// proposal returns an answer to fill in: the default, where it is safe to paste.
func proposal(q *loop.Question) string {
	switch {
	case q == nil:
	case q.Work:
		return "done"
	case harmless.MatchString(q.Default):
		return `"` + q.Default + `"`
	}
	return blank
}
