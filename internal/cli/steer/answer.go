package steer

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/runs"
	"ralph/internal/next"
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
names the one it is for. Without a text the questions are asked at the terminal, one
after the other.`,
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
	fl.StringVar(&f.question, "question", "", "the question with this `ID`, of a loop or a plan's own; refused once it is answered")
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
	r, err := runs.Find(ctx, a.Opener, p, id, runs.Wanted{Asking: true, There: func(id string) string { return next.Answer(id, next.Blank) }})
	if err != nil {
		return err
	}
	all, err := r.Questions(ctx)
	if err != nil {
		return err
	}
	id = r.Outcome().ID
	chosen := choose(all, id, f)
	switch {
	case len(all) == 0:
		return exit.UsageError("ralph status shows what needs you", "%s %s has no open question%s", r.Kind(), id, howAnswered(r, f.question, a.Now()))
	case len(chosen) == 0:
		return exit.UsageError("name one of these", "%s %s does not ask that%s; it asks:%s", r.Kind(), id, howAnswered(r, f.question, a.Now()), runs.ListQuestions(all))
	case len(chosen) > 1 && (text != "" || !a.Asks()):
		return exit.UsageError("name the one that you answer", "%s %s asks %d things:%s", r.Kind(), id, len(chosen), runs.ListQuestions(chosen))
	}
	if text != "" && len(chosen[0].Question.Options) == 0 { // an option is no name
		if err := ambiguous(ctx, p, args, chosen[0].AnswerCommand()); err != nil {
			return err
		}
	}
	for _, q := range chosen {
		if err := a.answerOne(ctx, p, q, text, f); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the questions that the flags name, of those about the run id. A
// text answers one question only: a user who types the same word twice has not
// seen the second one.
func choose(all []runs.Question, id string, f answerFlags) []runs.Question {
	return slices.DeleteFunc(slices.Clone(all), func(q runs.Question) bool {
		if q.Loop == id { // it asks one thing at a time, and may ask the same again
			return f.question != "" && q.Question.ID != f.question
		}
		return f.task != "" && q.Task != f.task || f.question != "" && (q.Own == nil || q.Plan != id || q.Question.ID != f.question)
	})
}
