package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/proof"
	"ralph/internal/text"
)

// startOf names what the work starts from.
func startOf(s loop.Spec) string {
	if s.Leftover == "" {
		return short(s.Base)
	}
	return short(s.Base) + " and the work that " + text.Line(cmp.Or(s.RetryOf, "an earlier loop")) + " left"
}

// Opening is the text that `run` prints before the first step: the planned work
// and its limits.
func Opening(s loop.State, p Palette) []string {
	var out []string
	fact := func(name, value string) {
		out = append(out, fmt.Sprintf("%-8s%s", name, text.Clip(value, p.width()-8)))
	}
	fact("loop", s.ID)
	fact("task", s.Task.Text)
	fact("agent", agentName(s.Agent)+agentSettings(s.Agent)+" · branch "+s.Branch+" from "+startOf(s.Spec))
	for _, g := range s.Gates {
		words := g.Name + " (" + string(level(g.Level)) + "): " + cmp.Or(g.Run, g.Asks())
		if g.Threshold != nil {
			words += " ≥ " + number(g.Threshold)
		}
		if g.Scoped && len(s.Task.Scope) > 0 {
			words += " in " + listed(s.Task.Scope, 4)
		}
		fact("gate", words)
	}
	out = append(out, permitsAll(s.Spec)...)
	out = append(out, prospectLines(proof.Prospect(s), p)...)
	fact("limits", limits(s.Limits))
	if s.Budget.Any() {
		fact("budget", spendable(s.Budget)+map[bool]string{true: ", then it pauses"}[s.BudgetPauses])
	}
	if len(s.Agents) > 1 {
		fact("then", "while a usage limit is spent: "+listed(names(s.Agents[1:]), 4))
	}
	if s.Agent.Use == scripted {
		out = append(out, honesty)
	}
	return p.outAll(out)
}

// SessionBudget bounds the total spending of all runs of this process.
func SessionBudget(limit loop.Amounts, p Palette) []string {
	if !limit.Any() {
		return nil
	}
	return p.outAll([]string{fmt.Sprintf("%-8s%s", "session", text.Clip(spendable(limit), p.width()-8))})
}

// agentSettings are the settings of an agent that matter to all readers.
func agentSettings(a loop.Agent) string {
	var words []string
	if a.Model != "" {
		words = append(words, "model "+text.Line(a.Model))
	}
	if a.Permissions == loop.PermissionsSkip {
		words = append(words, "its own permission checks are off")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// demonstration stands over a report in which scripts took part.
const demonstration = "Demonstration: a loop marked (scripted) was run by a script, without AI and without cost. Gates and git are real."

// honesty stands wherever a scripted agent's results are shown as a whole.
const honesty = "The agent is a script: no AI, no network, no cost. Gates and git are real."

func limits(l loop.Limits) string {
	words := text.Plural(l.MaxIterations, "attempt")
	if l.Attempt.Hard > 0 {
		words += " of at most " + minutes(l.Attempt.Hard)
	}
	if l.Fixes > 0 {
		words += fmt.Sprintf(" · at most %d after red gates", l.Fixes)
	}
	if l.Loop.Hard > 0 {
		words += " · " + minutes(l.Loop.Hard) + " in all"
	}
	return words
}

// minutes is a limit as people set it: "20 min", or short where it is not
// whole minutes.
func minutes(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return text.Duration(d)
}

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
	// Review is the review of the whole at its end; without reviewers there is none.
	Review loop.Review
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
	for _, l := range s.Lost {
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
		if found := proof.Prospect(loop.State{Spec: spec}); found != nil {
			about, sentences = append(about, text.Line(t.ID)), found
		}
	}
	if about == nil {
		return nil
	}
	return prospectLines(append([]string{"Tasks " + listed(about, 4) + ":"}, sentences...), p)
}

// permitsAll warns of a permission that leaves no judge file as on the base.
func permitsAll(s loop.Spec) []string {
	globs := s.PermitsAll()
	if len(globs) == 0 {
		return nil
	}
	return []string{"permits every judge file may change (" + listed(globs, 3) + "): no test has to stay"}
}

func prospectLines(sentences []string, p Palette) (out []string) {
	if len(sentences) == 0 {
		return nil
	}
	for n, words := range text.Wrap(strings.Join(sentences, " "), p.width()-8, 8) {
		out = append(out, fmt.Sprintf("%-8s%s", []string{"proof", ""}[min(n, 1)], words))
	}
	return out
}

// gateWords are the command of a gate, or its reviewers.
func gateWords(name string, g loop.Gate) string {
	return name + "(" + string(level(g.Level)) + "): " + cmp.Or(g.Run, g.Asks())
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
