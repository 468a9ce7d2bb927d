package steer

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/loop"
)

// answerFlags select the question and the answer.
type answerFlags struct {
	other          bool
	task, question string
}

func (a *Commands) AnswerCommand() *cobra.Command {
	var f answerFlags
	cmd := &cobra.Command{
		Use:     "answer [ID] \"TEXT\"",
		GroupID: command.GroupSteer,
		Short:   "Answer the question of a loop or a plan",
		Long: `Answer the question of a loop or a plan. Where a plan asks several things, each answer
names the one it is for: nobody agrees to what was not looked at. Without a text the
questions are put at the terminal, one after the other.`,
		Example: `  ralph answer ID "round half up"
  ralph answer PLAN --task T2 approve      # of several, the one about this task
  ralph answer ID done                     # with --agent human: the work is done
  ralph answer ID --other "neither: ask me in May"`,
		Args: cobra.RangeArgs(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.answer(cmd.Context(), args, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.other, "other", false, "the answer is none of the question's options")
	fl.StringVar(&f.task, "task", "", "of a plan: the question about the task `ID`")
	fl.StringVar(&f.question, "question", "", "of a plan: its own question with this `ID`")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) answer(ctx context.Context, args []string, f answerFlags) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, text := split(ctx, p, args)
	if id, err = a.Meant(ctx, p, id); err != nil {
		return err
	}
	if is, err := a.AsPlan(ctx, p, id, func(id string) error { return a.answerPlan(ctx, p, id, text, f) }); is {
		return err
	}
	l, err := a.Pick(ctx, p, id)
	if err != nil {
		return err
	}
	asks, err := asksAt(ctx, p, l.State)
	if err != nil {
		return err
	}
	if len(asks) == 0 {
		return exit.UsageError("ralph status shows what needs you", "loop %s has no open question", l.State.ID)
	}
	return a.answerOne(ctx, p, asks[0], text, f)
}

// asksAt is what is asked at a loop: its own question, or the one that its plan
// asks about the task with what this loop has done.
func asksAt(ctx context.Context, p *project.Project, s loop.State) ([]runs.Question, error) {
	if own := runs.LoopQuestions(s, ""); len(own) > 0 || s.Task.Plan == nil {
		return own, nil
	}
	l, err := p.Planner.Show(ctx, s.Parent)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(runs.OwnQuestions(l.State), func(q runs.Question) bool {
		t := l.State.Task(q.Task)
		return t == nil || t.Loop != s.ID
	}), nil
}

// answerPlan answers one question of a plan. Of several the one that is meant is
// named: who types the same word twice has not seen what the second one is about.
func (a *Commands) answerPlan(ctx context.Context, p *project.Project, id, text string, f answerFlags) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	all, err := runs.PlanQuestions(ctx, p, l.State)
	if err != nil {
		return err
	}
	meant := slices.DeleteFunc(slices.Clone(all), func(q runs.Question) bool {
		return f.task != "" && q.Task != f.task || f.question != "" && (q.Own == nil || q.Plan != id || q.Question.ID != f.question)
	})
	switch {
	case len(meant) == 1:
		return a.answerOne(ctx, p, meant[0], text, f)
	case len(all) == 0:
		return exit.UsageError("ralph status shows what needs you", "nothing of plan %s asks for anything", id)
	case len(meant) == 0:
		return exit.UsageError("name one of these", "plan %s does not ask that; it asks:%s", id, runs.ListQuestions(all))
	case text != "" || !a.Asks():
		return exit.UsageError("name the one that you answer", "plan %s asks %d things:%s", id, len(meant), runs.ListQuestions(meant))
	}
	for _, q := range meant {
		if err := a.answerOne(ctx, p, q, "", f); err != nil {
			return err
		}
	}
	return nil
}
