package report

import (
	"cmp"
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// mostListed tasks of a plan are named before it begins.
const mostListed = 40

// PlanStart is what is known before a plan begins.
type PlanStart struct {
	Plan plan.Plan
	// Name of the file, for a plan without a title.
	Name  string
	Rules plan.Rules
	// Task is what the loops of all tasks have in common; Gates are those that a
	// task has besides, by its id.
	Task  loop.Spec
	Gates map[string][]loop.Gate
	// Inner tells of a task that is a plan of its own, by the task's id: its
	// file, and how many of its tasks are open or why it cannot be read.
	Inner map[string]InnerPlan
	// Kept are ids of tasks that are open in the file and done in the record.
	Kept []string
	// Review looks at the whole at its end; without reviewers nobody does.
	Review loop.Review
	// Landed is the branch on which the work of the tasks comes together.
	Landed string
}

// PlanOpening is what is said before a plan runs: its tasks in the order in
// which they could be taken, what each waits for and why, the gates, and the
// worst case.
func PlanOpening(s PlanStart, p Palette) []string {
	open := s.Plan.Open()
	out := []string{p.bold("plan    " + cmp.Or(line(s.Plan.Title), line(s.Name)))}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	add("tasks   %d, %d of them open · %d at once · when one fails: %s", len(s.Plan.Tasks), len(open.Tasks), s.Rules.Parallel, s.Rules.OnFailure)
	for i, t := range open.Tasks {
		if i == mostListed {
			add("        … and %d more", len(open.Tasks)-i)
			break
		}
		add("  %s", clip(line(t.ID)+"  "+line(t.Title)+needsWords(t), p.width()-2))
		if inner, ok := s.Inner[t.ID]; ok {
			add("        %s", clip(inner.words(), p.width()-8))
		}
		for _, g := range s.Gates[t.ID] {
			add("        %s", clip("gate "+gateWords("", g), p.width()-8))
		}
	}
	if len(s.Kept) > 0 {
		add("kept    %s", clip(listed(s.Kept, 6)+": done and landed before, though open in the file;", p.width()-8))
		add("        a task whose words change is done again")
	}
	add("agent   %s%s", agentName(s.Task.Agent), agentSettings(s.Task.Agent))
	for _, g := range s.Task.Gates {
		add("gate    %s", clip(gateWords(g.Name+" ", g), p.width()-8))
	}
	if len(s.Task.Gates) == 0 {
		add("gate    none for all tasks; each has its own")
	}
	switch {
	case s.Rules.ByReview:
		add("agree   a reviewer agrees to how each task is to be done, before it begins")
	case s.Rules.Approve:
		add("agree   you agree to how each task is to be done, before it begins")
	}
	add("lands   %s, where the gates run again", clip(s.Landed, p.width()-36))
	add("review  %s", clip(wholeReview(s.Review), p.width()-8))
	out = append(out, s.worst(len(open.Tasks))...)
	return p.outAll(out)
}

// InnerPlan is a plan that is run in the place of a task. It has a budget of
// attempts of its own.
type InnerPlan struct {
	File      string
	Open, All int
	// Wrong is why it cannot be run; empty is nothing.
	Wrong string
}

func (i InnerPlan) words() string {
	if i.Wrong != "" {
		return "a plan of its own: " + line(i.File) + ": " + line(i.Wrong)
	}
	return fmt.Sprintf("a plan of its own: %s (%s, %d open)", line(i.File), plural(i.All, "task"), i.Open)
}

// gateWords are what a gate runs, or whom it asks.
func gateWords(name string, g loop.Gate) string {
	return name + "(" + string(level(g.Level)) + "): " + cmp.Or(g.Run, g.Asks())
}

// wholeReview says who looks at the plan as a whole, and by which rule.
func wholeReview(r loop.Review) string {
	if len(r.Reviewers) == 0 {
		return "none of the whole; it will end unreviewed"
	}
	words := "of the whole, by " + r.Kind + ": " + listed(names(r.Reviewers), 6)
	switch {
	case r.Unanimous:
		words += "; all approve"
	case r.Need > 0:
		words += fmt.Sprintf("; %d approve", r.Need)
	}
	if r.Quorum > 0 {
		words += fmt.Sprintf("; %d answer at least", r.Quorum)
	}
	return words
}

func needsWords(t plan.Task) string {
	if len(t.Needs) == 0 {
		return ""
	}
	var names []string
	inferred := false
	for _, n := range t.Needs {
		names = append(names, n.On)
		inferred = inferred || n.Why != plan.Stated
	}
	words := "  (after " + strings.Join(names, ", ")
	if inferred {
		words += ": by the order of the file"
	}
	return words + ")"
}
