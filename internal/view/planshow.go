package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// Show is a run of a plan for people: its tasks, open questions, next command. At
// most as wide as the terminal, but commands and paths are never cut.
func (v Plan) Show(now time.Time, p Palette) string { return v.sheet(now, p, len(v.Object.Tasks)) }

// End is the same at the end of a run: of a large plan it lists only the tasks that
// the user may want to look at, and counts the others.
func (v Plan) End(now time.Time, p Palette) string { return v.sheet(now, p, mostListed) }

func (v Plan) sheet(now time.Time, p Palette, most int) string {
	o := v.Object
	w := &sheet{p: p, now: now}
	w.text(0, p.status(o.Status, v.Reason)+"  "+p.bold(text.Line(v.ID))+"  ", v.Title, 2)
	w.text(2, "", o.Message, 4)
	if o.Note != "" {
		w.text(2, p.ask("! "), o.Note, 6)
	}
	w.whole("  plan     " + text.Line(o.File))
	if o.Accepted != nil { // which deletes the branch
		w.whole("  accepted " + short(*o.Accepted))
	} else {
		w.whole(fmt.Sprintf("  branch   %s at %s", text.Line(o.Branch), short(o.Tip)))
	}
	if c := v.Clash; c != nil {
		for i, line := range clashWords(c, v.ID, o.Branch) {
			w.whole(fmt.Sprintf("  %-8s %s", []string{clashName(c), ""}[min(i, 1)], line))
		}
	}
	w.whole("  attempts " + o.attemptsWords())
	if o.Review != nil {
		w.text(2, "review   ", v.Verdict, 4)
	}
	for i, spent := range o.Spent {
		w.text(2, fmt.Sprintf("%-8s ", []string{"reviews", ""}[min(i, 1)]), spentWords(spent), 2)
	}
	for _, balance := range o.Budgets {
		w.text(2, "budget   ", balance.Line(), 2)
	}
	w.whole("")
	w.tasks(o, most)
	for _, finding := range v.Open {
		w.text(2, p.ask("?")+" ", strings.ReplaceAll(string(finding.Kind), "_", " ")+": "+finding.Text, 4)
	}
	for _, q := range o.Unanswered {
		w.text(2, p.ask("!")+" ", unansweredWords(q), 4)
	}
	w.look(v)
	w.questions(o)
	if o.Next != nil {
		w.whole("\nnext: " + *o.Next)
	}
	if o.Again != nil && (o.Next == nil || *o.Again != *o.Next) {
		w.whole(againWords(o.Status) + *o.Again)
	}
	if o.Take != nil {
		w.whole("to take what landed as it is: " + *o.Take)
	}
	return p.Out(strings.TrimRight(w.b.String(), "\n"))
}

// againWords label the command that continues a plan: where it passed, nothing of the
// rest was tried before.
func againWords(st loop.Status) string {
	if st == loop.StatusPassed {
		return "to run the rest: "
	}
	return "to try the rest again: "
}

// Line is the plan in one line.
func (v Plan) Line(p Palette) string {
	o := v.Object
	done := o.Counts[string(plan.Done)] + o.Counts[string(plan.Skipped)]
	line := fmt.Sprintf("%s  %s  %d of %d tasks", p.status(o.Status, v.Reason), text.Clean(v.ID), done, len(o.Tasks))
	if n := o.Counts[string(plan.Failed)]; n > 0 {
		line += fmt.Sprintf(", %d failed", n)
	}
	if n := underWork(o.Tasks); n > 0 {
		line += fmt.Sprintf(", %d running", n)
	}
	if o.Next != nil {
		line += "  " + p.dim(*o.Next)
	}
	return p.Out(line)
}

// underWork counts the tasks in progress: a paused loop, or one that waits, is not, nor one
// whose process is gone.
func underWork(tasks []PlanTask) (n int) {
	for _, t := range tasks {
		if (t.Status == plan.Running || t.Status == plan.Landing) && t.Waits == nil && !t.Held && !t.CutOff {
			n++
		}
	}
	return n
}

// sheet is written line by line, each as wide as there is room.
type sheet struct {
	b   strings.Builder
	now time.Time
	p   Palette
}

// whole is a line that is not folded: it is copied.
func (w *sheet) whole(s string) { w.b.WriteString(s + "\n") }

// narrow is too little room for a text: it stands below its label.
const narrow = 24

// text is folded below where it begins, behind a label. Without a label nothing
// stands for no text.
func (w *sheet) text(at int, label, s string, lines int) {
	room := at + text.Width(label)
	switch {
	case text.Line(s) == "" && label == "":
		return
	case text.Line(s) != "" && w.p.width()-room < min(narrow, text.Width(text.Line(s))):
		w.whole(strings.TrimRight(strings.Repeat(" ", at)+label, " "))
		w.text(at+2, "", s, lines)
		return
	}
	for i, l := range text.Wrap(s, w.p.width()-room, lines) {
		if i > 0 {
			label = strings.Repeat(" ", room-at)
		}
		w.whole(strings.TrimRight(strings.Repeat(" ", at)+label+l, " "))
	}
}

// tasks lists all of them, or of more than most those that failed and then what is
// under way, and how many others there are.
func (w *sheet) tasks(o PlanRun, most int) {
	listed := o.Tasks
	if len(listed) > most {
		var failed, stirring []PlanTask
		for _, t := range listed {
			switch {
			case t.Status == plan.Failed:
				failed = append(failed, t)
			case t.stirs():
				stirring = append(stirring, t)
			}
		}
		listed = append(failed, stirring...)
		listed = listed[:min(len(listed), most)]
	}
	for _, t := range listed {
		w.task(t)
	}
	if n := len(o.Tasks) - len(listed); n > 0 {
		w.whole(fmt.Sprintf("  … and %s more: %s", text.Plural(n, "task"), next.Show(o.PlanID)))
	}
}

func (w *sheet) task(t PlanTask) {
	w.text(2, taskMark(t, w.p)+" "+text.Pad(taskStands(t), 10)+" "+w.p.bold(text.Line(t.ID))+"  ", t.Title, 3)
	if t.Status == plan.Failed || resting(t) {
		w.text(4, "", t.Message, 4)
	}
	switch {
	case t.Status == plan.Skipped:
		w.text(4, "", t.Message, 3)
	case t.Status != plan.Done && len(t.Needs) > 0 && t.Loop == nil:
		w.text(4, "", "needs "+strings.Join(t.Needs, ", "), 3)
	}
	if words := t.weakProof(); words != "" {
		w.text(4, "", words, 4)
	}
	if t.Blocked != nil {
		w.text(4, w.p.ask("! "), blockedWords("its agent", *t.Blocked), 4)
	}
	if t.Status == plan.Done || t.Loop == nil {
		return
	}
	phase := ""
	if t.Phase != nil && !t.CutOff && (t.Waits == nil || *t.Phase != string(plan.Clarify)) {
		phase = "phase: " + *t.Phase + "; "
	}
	w.whole("    " + w.p.dim(phase+next.Show(text.Line(*t.Loop))))
}

// weakProof is the label of landed work that no failing test or gate has proved; "" for
// other work.
func (t PlanTask) weakProof() string {
	if t.Landed == nil || t.Proof == nil || loop.Strong(*t.Proof) {
		return ""
	}
	return *t.Proof
}

// blockedWords repeat what an agent reported as blocking it: a claim.
func blockedWords(agent, by string) string {
	return agent + " reports that it is blocked: " + text.Line(by)
}

// questions are the open ones, with their options.
func (w *sheet) questions(o PlanRun) {
	several := len(o.Questions)+len(o.Asks) > 1
	for _, q := range o.Questions {
		w.question("", q.Question)
		w.document(o.Texts[q.ID])
		if several {
			w.whole("  " + w.p.dim(text.Line(next.AnswerOwn(o.PlanID, q))))
		}
	}
	for _, asks := range o.Asks {
		w.question(text.Line(asks.Task)+": ", asks.Question)
		if several {
			w.whole("  " + w.p.dim(text.Line(asks.Next)))
		}
	}
}

// resting: its loop is paused, by a person or by a limit, and asks no question.
// Work that waits for budget before a repair begins has no such loop.
func resting(t PlanTask) bool {
	if t.Waits == nil {
		return false
	}
	switch loop.Reason(*t.Waits) {
	case loop.Reason(loop.Paused), loop.ForLimit:
		return true
	case loop.Budget:
		return t.Status != plan.Landing || t.repairs
	}
	return false
}

func taskStands(t PlanTask) string {
	switch {
	case t.Gone:
		return "gone"
	case t.CutOff:
		return cutOff
	case t.Asks:
		return "asks"
	case t.Held, atLimit(t):
		return string(loop.Waiting)
	case resting(t):
		return string(loop.Paused)
	}
	return string(t.Status)
}

func taskMark(t PlanTask, p Palette) string {
	switch t.Status {
	case plan.Done:
		return p.good("✓")
	case plan.Failed, plan.Blocked:
		return p.bad("✗")
	case plan.Running, plan.Landing, plan.InReview, plan.Approving:
		switch {
		case t.Asks:
			return p.ask("?")
		case t.CutOff, t.Held, resting(t):
			return "○"
		case t.Waits == nil:
			return "●"
		}
		return p.ask("?")
	}
	return "○"
}
