package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// answerFlags select the question and the answer.
type answerFlags struct {
	other          bool
	task, question string
}

func (a *app) answerCommand() *cobra.Command {
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

func (a *app) answer(ctx context.Context, args []string, f answerFlags) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, text := split(ctx, p, args)
	if id, err = a.meant(ctx, p, id); err != nil {
		return err
	}
	if is, err := a.asPlan(ctx, p, id, func(id string) error { return a.answerPlan(ctx, p, id, text, f) }); is {
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
func asksAt(ctx context.Context, p *project.Project, s loop.State) ([]asking, error) {
	if own := asksOfLoop(s, ""); len(own) > 0 || s.Task.Plan == nil {
		return own, nil
	}
	l, err := p.Planner.Show(ctx, s.Parent)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ownAsks(l.State), func(q asking) bool {
		t := l.State.Task(q.task)
		return t == nil || t.Loop != s.ID
	}), nil
}

// answerPlan answers one question of a plan. Of several the one that is meant is
// named: who types the same word twice has not seen what the second one is about.
func (a *app) answerPlan(ctx context.Context, p *project.Project, id, text string, f answerFlags) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	all, err := asksOfPlan(ctx, p, l.State)
	if err != nil {
		return err
	}
	meant := slices.DeleteFunc(slices.Clone(all), func(q asking) bool {
		return f.task != "" && q.task != f.task || f.question != "" && (q.own == nil || q.plan != id || q.question.ID != f.question)
	})
	switch {
	case len(meant) == 1:
		return a.answerOne(ctx, p, meant[0], text, f)
	case len(all) == 0:
		return exit.UsageError("ralph status shows what needs you", "nothing of plan %s asks for anything", id)
	case len(meant) == 0:
		return exit.UsageError("name one of these", "plan %s does not ask that; it asks:%s", id, listAsks(all))
	case text != "" || !a.Asks():
		return exit.UsageError("name the one that you answer", "plan %s asks %d things:%s", id, len(meant), listAsks(meant))
	}
	for _, q := range meant {
		if err := a.answerOne(ctx, p, q, "", f); err != nil {
			return err
		}
	}
	return nil
}

// listAsks are open questions, each with the command that answers it.
func listAsks(asks []asking) string {
	var b strings.Builder
	for _, q := range asks {
		fmt.Fprintf(&b, "\n  %s\n    %s", q.line(), q.address())
	}
	return b.String()
}

// line is a question in one line: who asks, what, and the options.
func (q asking) line() string {
	out := strings.TrimPrefix(strings.TrimSpace(command.FirstLine(q.words(), 200)), "? ")
	if len(q.question.Options) > 0 {
		out += " [" + text.Clean(strings.Join(q.question.Options, ", ")) + "]"
	}
	return out
}
