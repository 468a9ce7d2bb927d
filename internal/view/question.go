package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// A question that has a deadline is shown with it: until then a person decides.

// Due describes what becomes of an open question that is not answered, and when;
// it is empty where the question has no deadline. A question that is over due waits
// until its loop runs, and may be answered until then.
func Due(q loop.Question, now time.Time) string {
	switch {
	case q.Deadline.IsZero() || q.Answered:
		return ""
	case now.Before(q.Deadline):
		return text.Clip(q.Default, 40) + " is taken at " + text.Clock(q.Deadline, now)
	}
	return text.Clip(q.Default, 40) + " is taken once it is resumed"
}

// due are the lines about that: one, or none.
func due(q loop.Question, now time.Time) []string {
	if words := Due(q, now); words != "" {
		return []string{words}
	}
	return nil
}

// dueOf is due for a known loop. A deadline takes effect only while the loop runs. The
// question of an agent-driven loop is answered by the next command that reads it, that
// of a task by its plan.
func dueOf(i Item, now time.Time) []string {
	s, q := i.State, i.State.Open()
	switch {
	case q == nil || q.Deadline.IsZero():
		return nil
	case s.Status == loop.Paused:
		return []string{"paused: " + text.Clip(q.Default, 40) + " is taken from " + text.Clock(q.Deadline, now) + " on, once it is resumed"}
	case !i.Facts.Live && now.Before(q.Deadline) && s.Mode != loop.AgentDriven && !s.InPlan():
		return []string{Due(*q, now) + ", if it runs then: " + next.Resume(s.ID)}
	}
	return due(*q, now)
}

// needsBy is needs, with the result of a missing answer.
func needsBy(i Item, now time.Time) string {
	return strings.Join(append([]string{needs(i, now)}, dueOf(i, now)...), "; ")
}

// openBehind is the question that a paused loop has open: it may be answered before
// it is resumed.
func openBehind(i Item, now time.Time) []string {
	q := i.State.Open()
	if q == nil || i.State.Status != loop.Paused {
		return nil
	}
	return append([]string{asksWords + asked(q) + "; " + next.AnswerOpen(i.State.ID, q)}, dueOf(i, now)...)
}

// joinLines joins the lines of a question, so that they can be told apart.
func joinLines(words string) string {
	var lines []string
	for l := range strings.Lines(text.Clean(words)) {
		if l = text.SpacedLine(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, " · ")
}

// Put returns a question as it is put to a person, a line each, with who asks and its numbered
// options. Only the first line begins like one of ralph's: the further ones are marked, since
// an agent writes them.
func Put(who string, q loop.Question) []string {
	var out []string
	for l := range strings.Lines(strings.TrimSpace(who + text.Clean(q.Text))) {
		mark := "? "
		if len(out) > 0 {
			mark = "| "
		}
		out = append(out, mark+strings.TrimRight(l, "\n"))
	}
	return append(out, Choices(q)...)
}

// Choices are the numbered options of a question, a line each.
func Choices(q loop.Question) []string {
	out := make([]string, len(q.Options))
	for i, o := range q.Options {
		out[i] = fmt.Sprintf("  %d  %s", i+1, text.SpacedLine(o))
	}
	return out
}

// question shows a question of a plan on its page.
func (w *sheet) question(who string, q loop.Question) {
	w.whole("")
	for _, line := range Put(who, loop.Question{Text: q.Text}) {
		mark, words := line[:2], line[2:]
		for _, l := range text.WrapWords(words, w.p.width()-2) {
			if mark == "? " {
				w.whole(w.p.ask(mark) + l)
				mark = "  "
				continue
			}
			w.whole(mark + l)
		}
	}
	for i, option := range q.Options {
		w.text(2, fmt.Sprintf("%d  ", i+1), text.Line(option), 4)
	}
	if q.Default != "" {
		w.text(2, "default: ", q.Default, 4)
	}
	for _, l := range due(q, w.now) {
		w.text(2, "", l, 4)
	}
}

// AskedBy is the text of a question, with the result of a missing answer.
func AskedBy(q loop.Question, now time.Time) string {
	return strings.Join(append([]string{joinLines(q.Text)}, due(q, now)...), "; ")
}

// Stored is the reply to an agent that asked a question.
func Stored(id string, q loop.Question, now time.Time) string {
	until := "A person answers it"
	if !q.Deadline.IsZero() {
		until = fmt.Sprintf("A person may answer it until %s; then %q is taken", text.Clock(q.Deadline, now), text.Line(q.Default))
	}
	return "Stored as " + q.ID + " of " + id + ". " + until + "; end your turn, you have the answer in your next turn."
}

// A question that was answered without a person is shown in every view: the work
// continued as if a person had decided.

// unanswered describes which answer was taken.
func unanswered(q loop.Question) string {
	took := fmt.Sprintf("was given the answer %q", text.Line(q.Answer))
	if q.Answer == q.Default {
		took = fmt.Sprintf("took the default %q", text.Line(q.Answer))
	}
	return took + ", unanswered" + inTime(q) + ": " + text.Line(q.Text)
}

// answeredWords are a question's answer, and that no person gave it.
func answeredWords(q loop.Question) string {
	switch {
	case !q.AnsweredByPolicy():
		return text.SpacedLine(q.Answer)
	case q.Answer == q.Default:
		return text.Line(q.Answer) + " (by default: unanswered" + inTime(q) + ")"
	}
	return text.Line(q.Answer) + " (unanswered" + inTime(q) + ")"
}

func inTime(q loop.Question) string {
	if q.AskedAt.IsZero() || !q.AnsweredAt.After(q.AskedAt) {
		return ""
	}
	return " for " + text.Duration(q.AnsweredAt.Sub(q.AskedAt))
}

// unansweredWords are unanswered with the task that it was about.
func unansweredWords(o plan.Unanswered) string {
	return cmp.Or(text.Line(o.Task), "the plan") + " " + unanswered(o.Question)
}

// NoOption says that an answer is none of a question's options.
func NoOption(q loop.Question, answer string) string {
	return fmt.Sprintf("%q is none of the options: %s", text.Line(answer), text.Line(strings.Join(q.Options, ", ")))
}
