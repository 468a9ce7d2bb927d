package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// Task is a task of a plan, as lists and reports show it.
type Task struct {
	PlanTask
	// Kind is the word under which it is counted: "running", "asks", "to do", …
	Kind string
	// Mark, About and Next are its row in a list, where it runs, asks or has failed:
	// About follows the title, Next is the command to type.
	Mark, About, Next string
	// Deleted is the loop that worked on it and is not there any more, where all loops of
	// the plan were read; Loop is null then.
	Deleted string

	record plan.TaskState
}

// Detail is About for a place that shows Kind before it.
func (t Task) Detail() string {
	return strings.TrimPrefix(strings.TrimLeft(t.About, ": "), t.Kind+": ")
}

// name is the task's id and title; the id alone where both are the same words.
func (t Task) name() string {
	id, title := text.Line(t.ID), text.Clip(Unmarked(t.Title), mostTaskTitle)
	if loop.Slug(title, len(title)) == strings.ToLower(id) {
		return id
	}
	return id + "  " + title
}

// tasks joins the record with the file.
func (i PlanItem) tasks(now time.Time) []Task {
	s, f := i.State, i.Facts
	var status map[string]plan.Status
	if graph, err := f.Plan.Graph(); err == nil {
		status = s.Statuses(graph)
	}
	index := make(map[string]plan.Task, len(f.Plan.Tasks))
	for _, t := range f.Plan.Tasks {
		index[t.ID] = t
	}
	out := make([]Task, 0, len(s.Tasks))
	for _, t := range s.Tasks {
		if t.Gone && t.Loop == "" {
			continue // nothing was done for it
		}
		row := PlanTask{
			ID: t.ID, Title: cmp.Or(index[t.ID].Title, t.Title), Status: t.Status, Reason: orNull(string(t.Reason)), Message: t.Message,
			Loop: orNull(t.Loop), Waits: orNull(string(t.Rests)), Phase: orNull(string(phaseOf(t, f))), Tries: t.Tries, Attempts: t.Attempts + i.underWay(t.Now()),
			repairs: t.Repair != "", Landed: orNull(t.Landed), Output: orNull(t.Output), Needs: []string{}, Proof: orNull(t.Proof), Blocked: orNull(t.Blocked), Gone: t.Gone,
		}
		if f.Absent[t.Loop] {
			row.Loop = nil
		}
		if shown, ok := status[t.ID]; ok && t.Status == plan.Pending {
			row.Status = shown
		}
		if t.Status == plan.Skipped && row.Message == "" {
			row.Message = skippedWords(index[t.ID])
		}
		for _, n := range index[t.ID].Needs {
			if !slices.Contains(row.Needs, n.On) {
				row.Needs = append(row.Needs, n.On)
			}
		}
		out = append(out, i.task(row, t, now))
	}
	return out
}

// task adds what lists and reports show of a task.
func (i PlanItem) task(row PlanTask, s plan.TaskState, now time.Time) Task {
	t := Task{PlanTask: row, record: s}
	if _, there := i.loopOf(s.Loop); i.Whole && !there && !s.Child && s.Attempts > 0 {
		t.Deleted, t.Loop = s.Loop, nil
	}
	asks := i.asks(s)
	l, found := i.loopOf(cmp.Or(s.Repair, s.Loop))
	t.CutOff = i.Facts.Crashed && row.stirs() && !asks && !l.Facts.Live && (!resting(row) || loop.Reason(*row.Waits) == loop.ForLimit)
	t.Asks = asks && row.stirs() && !t.CutOff && !resting(row)
	t.Held = row.Status == plan.Running && !asks && !t.CutOff && !resting(row) && (row.answered() || found && l.held())
	t.Kind = kindOf(t.PlanTask, asks)
	if !row.stirs() && row.Status != plan.Failed {
		return t
	}
	f := next.TaskFacts{Plan: i.State.ID}
	ask := i.askOf(row.ID)
	if ask != nil {
		f.Asker = ask.Loop
	}
	if found {
		f.Loop = l.next()
	}
	switch open := found && !l.State.Status.Terminal(); {
	case t.CutOff:
		t.Mark, t.About = "○", ": its process is gone; it continues with the plan"
	case row.Status == plan.Failed:
		t.Mark, t.About = "✗", ": "+whyFailed(s, l)
	case resting(row) && open:
		t.Mark, t.About = "○", ": "+waits(l, now)
	case asks:
		f.Asks = true
		t.Mark, t.About = "?", " waits for a person"
		if found {
			t.About = " " + needsBy(l, now)
		} else if ask != nil {
			t.About = " asks: " + asked(&ask.Question)
		}
	case row.Status == plan.Landing && s.Repair != "":
		t.Mark, t.About = "●", ": does not fit what landed before; "+text.Line(s.Repair)+" repairs it"
	case row.Status == plan.Landing:
		t.Mark, t.About = "●", ": landing"
	case found && l.Facts.Awaits != "":
		t.Mark, t.About = "○", ": "+l.working()
	case found && l.group() == GroupRunning:
		t.Mark, t.About = "●", fmt.Sprintf(": %s, attempt %s", doing(l.State), iteration(l.State))
	case open:
		t.Mark, t.About = "○", ": "+waits(l, now)
	default:
		t.Mark = "●"
	}
	if t.Deleted != "" || i.Facts.Absent[s.Loop] {
		s.Loop, s.Repair = "", ""
	}
	t.Next = next.Task(s, f)
	return t
}

// waits describes why an open loop rests, behind the title of its task.
func waits(l Item, now time.Time) string {
	why := stopped(l.State, l.Facts, now)
	if strings.HasPrefix(why, "for ") || strings.HasPrefix(why, "after ") {
		return "waits " + why
	}
	return why
}

// atLimit reports whether a task's loop waits for its provider, as the plan noted.
func atLimit(t PlanTask) bool { return t.Waits != nil && loop.Reason(*t.Waits) == loop.ForLimit }

// answered reports whether the task, which does not ask, was recorded as one that does.
func (t PlanTask) answered() bool { return t.Waits != nil && loop.Reason(*t.Waits) == loop.ForHuman }

// held reports whether nothing works on an open loop.
func (i Item) held() bool { return !i.State.Status.Terminal() && i.group() != GroupRunning }

// cutOff is the word for a task of a plan whose process is gone.
const cutOff = "cut off"

// kindOf is the word under which a task is counted.
func kindOf(t PlanTask, asks bool) string {
	if t.CutOff {
		return cutOff
	}
	switch t.Status {
	case plan.Running:
		switch {
		case t.Held, atLimit(t):
			return string(loop.Waiting)
		case resting(t):
			return "paused"
		case asks:
			return "asks"
		}
		return "running"
	case plan.Landing:
		switch {
		case resting(t):
			return "paused"
		case asks:
			return "asks"
		}
		return "landing"
	case plan.InReview, plan.Approving:
		return "in review"
	case plan.Failed:
		if t.Reason != nil && *t.Reason == string(loop.Conflict) {
			return "conflict"
		}
		return "failed"
	case plan.Pending, plan.Ready:
		return "to do"
	}
	return string(t.Status)
}

// whyFailed describes why a task failed and where its work is.
func whyFailed(t plan.TaskState, l Item) string {
	words := text.Line(cmp.Or(t.Message, string(t.Reason)))
	if l.State.FailureRef != "" {
		words += "; kept on " + text.Line(l.State.FailureRef)
	}
	return words
}

// skippedWords explains why a task is skipped.
func skippedWords(t plan.Task) string {
	if t.Optional {
		return "optional: --task " + t.ID + " asks for it"
	}
	return "not to be done, as the plan says"
}

func phaseOf(t plan.TaskState, f PlanFacts) plan.Phase {
	if l, ok := f.Loops[t.Now()]; ok {
		return plan.PhaseOf(t, &l)
	}
	return plan.PhaseOf(t, nil)
}

// tally are the counts that are not zero: " · 2 running, 1 asks, 1 failed".
func tally(tasks []Task) string {
	n := map[string]int{}
	for _, t := range tasks {
		if !t.Gone {
			n[t.Kind]++
		}
	}
	var parts []string
	for _, kind := range []string{"running", string(loop.Waiting), "asks", "paused", cutOff, "landing", "in review", "failed", "conflict", "blocked", "to do", "skipped"} {
		if n[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[kind], kind))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " · " + strings.Join(parts, ", ")
}
