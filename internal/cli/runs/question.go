package runs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// ListQuestions are open questions, each with the command that answers it.
func ListQuestions(asks []Question) string {
	var b strings.Builder
	for _, q := range asks {
		fmt.Fprintf(&b, "\n  %s\n    %s", q.Line(), q.AnswerCommand())
	}
	return b.String()
}

// Line is a question in one line: the asker, the text and the options.
func (q Question) Line() string {
	out := strings.TrimPrefix(strings.TrimSpace(text.Headline(q.Text(), 200)), "? ")
	if len(q.Question.Options) > 0 {
		out += " [" + text.Line(strings.Join(q.Question.Options, ", ")) + "]"
	}
	return out
}

// Question is an open question, and where its answer goes: to a loop, or to a plan.
type Question struct {
	Loop, Plan string
	// Task of the plan that it is about, as a person knows it; "" is none.
	Task     string
	Question loop.Question
	// Own is the question of a plan; Approves is the text that it asks to approve.
	Own      *plan.Question
	Approves string
}

func LoopQuestions(s loop.State, task string) []Question {
	if q := s.Open(); q != nil && !s.Status.Terminal() {
		return []Question{{Loop: s.ID, Task: task, Question: *q}}
	}
	return nil
}

// OwnQuestions are a plan's own questions, the oldest first.
func OwnQuestions(s plan.State) []Question {
	var out []Question
	for _, q := range s.OpenQuestions() {
		out = append(out, Question{Plan: s.ID, Task: q.Task, Question: q.Question, Own: &q})
	}
	return out
}

// approach is the text that a question of a plan asks to approve; "" is none.
func (q Question) approach(l engine.Plan) string {
	if q.Own == nil || q.Own.About != plan.AboutApproach {
		return ""
	}
	t := l.State.Task(q.Task)
	if t == nil {
		return ""
	}
	words, err := os.ReadFile(engine.ApproachFile(l.Dir, t.Loop))
	if err != nil {
		return "" // the question names the file
	}
	return string(words)
}

// withApproach adds to the questions of a plan the texts that they ask to approve.
func withApproach(asks []Question, l engine.Plan) []Question {
	for i, q := range asks {
		if q.Plan == l.State.ID {
			asks[i].Approves = q.approach(l)
		}
	}
	return asks
}

// Key tells questions apart.
func (q Question) Key() string { return q.Loop + "/" + q.Plan + "/" + q.Question.ID }

// AnswerCommand is the command that answers this very question.
func (q Question) AnswerCommand() string {
	if q.Own != nil {
		return next.AnswerOwn(q.Plan, *q.Own)
	}
	return next.AnswerOpen(q.Loop, &q.Question)
}

// ExampleCommand is AnswerCommand with one of the options, for an answer that is none.
func (q Question) ExampleCommand() string {
	if q.Own != nil {
		return next.AnswerOwnExample(q.Plan, *q.Own)
	}
	return next.AnswerExample(q.Loop, q.Question)
}

// Accepts is an answer in the question's words, and why it is none. Other says that
// its own words may be meant all the same: agents take any.
func (q Question) Accepts(answer string) (words, why string, other bool) {
	if q.Own != nil {
		words, why = q.Own.Takes(answer)
		return words, why, false
	}
	words, known, other := q.Question.Accepts(answer)
	if words == "" || known {
		return words, "", false
	}
	return words, view.NoOption(q.Question, words), other
}

// Text are the question as it is put, text of an agent's among it.
func (q Question) Text() string {
	who := ""
	if q.Task != "" && (q.Own == nil || !strings.Contains(q.Question.Text, q.Task)) {
		who = q.Task + ": "
	}
	return strings.Join(view.Put(who, q.Question), "\n") + "\n"
}

// prompt is the question with what becomes of it without an answer, and where the
// answer is typed.
func (q Question) prompt(now time.Time) string {
	var words strings.Builder
	words.WriteString(q.Text())
	for _, l := range view.Document(q.Approves, 80) {
		words.WriteString(l + "\n")
	}
	if due := view.Due(q.Question, now); due != "" {
		words.WriteString("  " + due + "\n")
	}
	if q.Question.Default != "" {
		words.WriteString("[" + text.Line(q.Question.Default) + "] ")
	}
	return words.String() + "> "
}

// Overdue: the time for its answer is over.
func (q Question) Overdue(now time.Time) bool {
	return !q.Question.Deadline.IsZero() && !now.Before(q.Question.Deadline)
}

// Reply delivers an answer to the run that asked, for this question and no other.
func Reply(ctx context.Context, a *project.Opener, p *project.Project, q Question, text string) error {
	return ReplyAs(ctx, p, q, text, a.Owner())
}

// ReplyAs is Reply with the name that is recorded with the answer.
func ReplyAs(ctx context.Context, p *project.Project, q Question, text, by string) error {
	c := engine.Command{Kind: engine.Answer, Text: text, By: by, Question: q.Question.ID}
	var err error
	if q.Own != nil {
		_, err = p.Plans.Send(ctx, q.Plan, c)
	} else {
		_, err = p.Loops.Send(ctx, q.Loop, c)
	}
	return err
}

// AlreadyAnswered reports that another answer was faster: there is nothing left to answer.
func AlreadyAnswered(err error) bool {
	_, refused := errors.AsType[*engine.RefusedError](err)
	return refused || errors.Is(err, engine.ErrEnded)
}

// planLoops are the loops that a plan's tasks are at, by their ids, and the
// questions that they ask, in the order of the plan. The loops know them: a task
// that has just asked stands there before its plan has noted it.
func planLoops(ctx context.Context, p *project.Project, s plan.State) (map[string]loop.State, []Question, error) {
	loops, asks := map[string]loop.State{}, []Question(nil)
	if s.Status.Terminal() {
		return loops, asks, nil
	}
	for _, t := range s.Tasks {
		id := t.Now()
		if id == "" || t.Gone {
			continue
		}
		if t.Child && t.Status == plan.Running {
			inner, err := innerAsks(ctx, p, t)
			if err != nil {
				return loops, asks, err
			}
			asks = append(asks, inner...)
			continue
		}
		l, err := p.Loops.Show(ctx, id)
		if err != nil {
			return loops, asks, err
		}
		loops[id] = l.State
		asks = append(asks, LoopQuestions(l.State, t.ID)...)
	}
	whole, err := wholeAsks(ctx, p, s)
	return loops, append(asks, whole...), err
}

// wholeAsks is what the loop asks that proves the whole plan, and repairs it.
func wholeAsks(ctx context.Context, p *project.Project, s plan.State) ([]Question, error) {
	if s.FinalRests != loop.ForHuman {
		return nil, nil
	}
	l, err := p.Loops.Show(ctx, s.Final)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, nil
	}
	return LoopQuestions(l.State, ""), err
}

// innerAsks is what the plan asks that is run in the place of a task. One that
// has not begun asks nothing.
func innerAsks(ctx context.Context, p *project.Project, t plan.TaskState) ([]Question, error) {
	l, err := p.Plans.Show(ctx, t.Loop)
	if errors.Is(err, engine.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	asks, err := PlanQuestions(ctx, p, l.State)
	for i := range asks {
		asks[i].Task = strings.TrimSuffix(t.ID+" › "+asks[i].Task, " › ")
	}
	return asks, err
}

// PlanQuestions is all that a plan asks: its own questions, then those of its tasks.
func PlanQuestions(ctx context.Context, p *project.Project, s plan.State) ([]Question, error) {
	_, asks, err := planLoops(ctx, p, s)
	return append(OwnQuestions(s), asks...), err
}

// NeedsPerson: it asks, and no deadline continues it.
func NeedsPerson(s loop.State) bool {
	q := s.Open()
	return q != nil && q.Deadline.IsZero()
}

// due is the earliest time for which a question, or something of a plan, waits.
func due(asks []Question, s plan.State, loops map[string]loop.State) (first time.Time) {
	sooner := func(t time.Time) {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	for _, q := range asks {
		sooner(q.Question.Deadline)
	}
	for _, l := range loops {
		if l.AwaitsStart() {
			sooner(l.Wake)
		}
	}
	for _, h := range s.ReviewHolds() {
		sooner(h.Until)
	}
	return first
}
