package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// mostListed tasks of a plan are named before it begins.
const mostListed = 40

// PlanStart holds the facts known before a plan begins.
type PlanStart struct {
	Plan plan.Plan
	// Name of the file, for a plan without a title.
	Name  string
	Rules plan.Rules
	// Task holds the settings that the loops of all tasks share; Gates are those
	// that a task has besides, by its id.
	Task  loop.Spec
	Gates map[string][]loop.Gate
	// ProofAsked: a person asked for the proof of Task for all tasks.
	ProofAsked bool
	// Whole are the gates that judge only all tasks together.
	Whole []loop.Gate
	// Inner describes tasks that are plans of their own, by the task's id.
	Inner map[string]InnerPlan
	// Budget bounds the spending of the whole plan; no part is no bound.
	Budget loop.Amounts
	// Session bounds the total spending of all runs of its process.
	Session loop.Amounts
	// Kept are ids of tasks that are open in the file and done in the record.
	Kept []string
	// Lost describes the missing parts of its work.
	Lost []string
	// Doubts are lines of the file that ralph may have read in another sense than meant.
	Doubts []string
	// Review is the review of the whole at its end; without reviewers there is none.
	Review loop.Review
	// Now tells which quarantines of gates are over.
	Now time.Time
	// Landed is the branch on which the work of the tasks comes together.
	Landed string
}

// PlanOpening is printed before a plan runs: its tasks in possible order, their
// dependencies and reasons, the gates, and the worst case.
func PlanOpening(s PlanStart, p Palette) []string {
	tasks, others := s.asked()
	out := []string{p.bold("plan    " + cmp.Or(text.Line(s.Plan.Title), text.Line(s.Name)))}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	add("tasks   %d, %s · %d at once · when one fails: %s", len(s.Plan.Tasks), openWords(len(tasks), len(others)), s.Rules.Parallel, s.Rules.OnFailure)
	unlisted := 0
	for i, t := range tasks {
		inner, is := s.Inner[t.ID]
		exemption := t.Exemption()
		if i >= mostListed && !is && len(s.Gates[t.ID]) == 0 && exemption == "" {
			unlisted++
			continue
		}
		add("  %s", text.Clip(text.Line(t.ID)+"  "+text.Line(t.Title)+needsWords(t), p.width()-2))
		if exemption != "" {
			add("        %s", text.Clip(text.Line(exemption), p.width()-8))
		}
		if is {
			out = append(out, inner.lines(8, p)...)
		}
		if t.Kind == plan.KindText && len(s.Task.Gates) > 0 {
			add("        a text task: its answer is judged, and by reviewers; the gates of all tasks are not run")
		}
		out = append(out, gateLines(8, "gate ", s.Gates[t.ID], p)...)
	}
	if unlisted > 0 {
		add("        … and %d more", unlisted)
	}
	if len(others) > 0 {
		add("  %s", text.Clip("not asked for: "+listed(ids(others), 6), p.width()-2))
		for _, t := range others { // a person who trusts the plan trusts their commands too
			out = append(out, gateLines(8, text.Line(t.ID)+" gate ", s.Gates[t.ID], p)...)
		}
	}
	if len(s.Kept) > 0 {
		add("kept    %s", text.Clip(listed(s.Kept, 6)+": done and landed before, though open in the file;", p.width()-8))
		add("        a task whose words change is done again")
	}
	for _, l := range slices.Concat(s.Lost, s.Doubts) {
		for n, words := range text.Wrap(l, p.width()-8, 6) {
			add("%-8s%s", []string{"look", ""}[min(n, 1)], words)
		}
	}
	add("agent   %s%s", agentName(s.Task.Agent), agentSettings(s.Task.Agent))
	for _, g := range s.Task.Gates {
		add("gate    %s", text.Clip(gateWords(g.Name+" ", g), p.width()-8))
	}
	if len(s.Task.Gates) == 0 {
		add("gate    none that holds for every task; each task has its own")
	}
	out = append(out, gateLines(0, "whole   all tasks together ", s.Whole, p)...)
	out = append(out, quarantineLines(slices.Concat(s.Task.Gates, s.Whole), s.Now, p)...)
	out = append(out, permitsAll(s.Task)...)
	out = append(out, s.prospect(tasks, p)...)
	switch {
	case s.Rules.ByReview:
		add("agree   a reviewer agrees to how each task is to be done, before it begins")
	case s.Rules.Approve:
		add("agree   you agree to how each task is to be done, before it begins")
	}
	if words := s.gapWords(); words != "" {
		add("gaps    %s", words)
	}
	add("lands   %s, where the gates run again", text.Clip(s.Landed, p.width()-36))
	add("review  %s", text.Clip(wholeReview(s.Review), p.width()-8))
	out = append(out, s.worst(len(tasks))...)
	return append(p.outAll(out), SessionBudget(s.Session, p)...)
}

// asked are the open tasks that the run is about, and the other open ones.
func (s PlanStart) asked() (tasks, others []plan.Task) {
	open := s.Plan.Open().Tasks
	wanted := s.Plan.WantedIDs(s.Rules.Only)
	if wanted == nil {
		return open, nil
	}
	for _, t := range open {
		if slices.Contains(wanted, t.ID) {
			tasks = append(tasks, t)
		} else {
			others = append(others, t)
		}
	}
	return tasks, others
}

// openWords count the open tasks of a run, and those that it is not about.
func openWords(asked, others int) string {
	if others == 0 {
		return fmt.Sprintf("%d of them open", asked)
	}
	return fmt.Sprintf("%d of them asked for (%d are open)", asked, asked+others)
}

func ids(tasks []plan.Task) []string {
	out := make([]string, len(tasks))
	for i, t := range tasks {
		out[i] = t.ID
	}
	return out
}

// gapWords describe what becomes of the plan's open gaps and edge cases.
func (s PlanStart) gapWords() string {
	open := len(s.Plan.Gaps) + len(s.Plan.EdgeCases)
	switch {
	case open == 0 || s.Rules.Gaps == nil:
		return ""
	case s.Rules.Gaps.Rounds == 0:
		return fmt.Sprintf("%d open; you are asked about them when the tasks are done", open)
	}
	return fmt.Sprintf("%d open; they become tasks when the others are done (at most %s)", open, text.Plural(s.Rules.Gaps.Rounds, "round"))
}

// prospect warns of the tasks whose gates can hardly prove any work.
func (s PlanStart) prospect(tasks []plan.Task, p Palette) []string {
	var about, sentences []string
	for _, t := range tasks {
		if _, inner := s.Inner[t.ID]; inner || t.Kind == plan.KindText {
			continue
		}
		spec := t.Permit(s.Task, s.ProofAsked)
		spec.Gates = slices.Concat(spec.Gates, s.Gates[t.ID])
		if found := redgreen.Prospect(loop.State{Spec: spec}); found != nil {
			about, sentences = append(about, text.Line(t.ID)), found
		}
	}
	if about == nil {
		return nil
	}
	return prospectLines(append([]string{"Tasks " + listed(about, 4) + ":"}, sentences...), p)
}

// wholeReview names the reviewers of the plan as a whole, and their rule.
func wholeReview(r loop.Review) string {
	if len(r.Reviewers) == 0 {
		return "none of the whole: no reviewer is configured (plans.review)"
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
