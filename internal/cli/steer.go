package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

func (a *app) pauseCommand() *cobra.Command {
	var now bool
	cmd := &cobra.Command{
		Use:     "pause [ID]",
		GroupID: groupSteer,
		Short:   "Pause a loop after its present step",
		Example: "  ralph pause ID\n  ralph pause ID --now    # end the agent; its work is kept",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind := engine.Pause
			if now {
				kind = engine.PauseNow
			}
			return a.command(cmd.Context(), first(args), engine.Command{Kind: kind, By: owner(a)}, "pausing")
		},
	}
	cmd.Flags().BoolVar(&now, "now", false, "do not wait for the end of the step")
	a.loopIDFlag(cmd)
	return cmd
}

func (a *app) steerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "steer ID \"TEXT\"",
		GroupID: groupSteer,
		Short:   "Give guidance for the next attempts",
		Example: "  ralph steer ID \"the parser is in internal/parse, leave the lexer alone\"",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.steer(cmd.Context(), args)
		},
	}
	a.loopIDFlag(cmd)
	return cmd
}

func (a *app) steer(ctx context.Context, args []string) error {
	p, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	defer p.close()
	id, text := p.split(ctx, args)
	if strings.TrimSpace(text) == "" {
		return usage("ralph steer ID \"…\"", "the guidance is empty")
	}
	return a.send(ctx, p, id, engine.Command{Kind: engine.Steer, Text: text, By: owner(a)}, "noted for the next attempt")
}

func (a *app) answerCommand() *cobra.Command {
	var other bool
	cmd := &cobra.Command{
		Use:     "answer [ID] \"TEXT\"",
		GroupID: groupSteer,
		Short:   "Answer the question of a loop",
		Example: "  ralph answer ID \"round half up\"\n  ralph answer ID done        # with --agent human: the work is done\n  ralph answer ID --other \"neither: ask me in May\"",
		Args:    cobra.RangeArgs(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.answer(cmd.Context(), args, other)
		},
	}
	cmd.Flags().BoolVar(&other, "other", false, "the answer is none of the question's options")
	a.loopIDFlag(cmd)
	return cmd
}

func (a *app) answer(ctx context.Context, args []string, other bool) error {
	p, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	defer p.close()
	id, text := p.split(ctx, args)
	if is, err := a.asPlan(ctx, p, id, func(id string) error { return a.answerOfPlan(ctx, p, id, text, other) }); is {
		return err
	}
	l, err := a.pick(ctx, p, id)
	if err != nil {
		return err
	}
	return a.answerLoop(ctx, p, l, text, other)
}

// answerLoop answers the open question of a loop; without a text it asks for one.
func (a *app) answerLoop(ctx context.Context, p *project, l engine.Loop, text string, other bool) (err error) {
	q := l.State.Open()
	if q == nil {
		return usage("ralph status shows what needs you", "loop %s has no open question", l.State.ID)
	}
	if text == "" {
		if text, err = a.put(ctx, "", q); err != nil {
			return err
		}
	}
	if text = q.Choose(text); text == "" {
		return usage("ralph answer "+l.State.ID+" \"…\"", "the answer is empty: %s", q.Text)
	}
	text, known := q.Offered(text)
	if !known && !other {
		return usage("ralph answer "+l.State.ID+" --other \"…\" says something else", "%q is none of the options: %s", text, report.Clean(strings.Join(q.Options, ", ")))
	}
	s, err := p.engine.Send(ctx, l.State.ID, engine.Command{Kind: engine.Answer, Text: text, By: owner(a)})
	if err != nil {
		return err
	}
	if a.json {
		return a.loopObject(ctx, p, s.ID)
	}
	a.afterAnswer(ctx, p, s)
	return nil
}

// put asks an open question at the terminal; who stands before it. It is text of
// an agent's.
func (a *app) put(ctx context.Context, who string, q *loop.Question) (string, error) {
	if !a.asks() {
		return "", usage("ralph answer ID \"…\"", "an answer is needed, and nobody can be asked: %s", q.Text)
	}
	var text strings.Builder
	text.WriteString("? " + report.Clean(who+q.Text) + "\n")
	for i, o := range q.Options {
		fmt.Fprintf(&text, "  %d  %s\n", i+1, report.Clean(o))
	}
	if q.Default != "" {
		text.WriteString("[" + report.Clean(q.Default) + "] ")
	}
	answer, err := a.ask(ctx, text.String()+"> ")
	return q.Choose(answer), err
}

// split takes the last argument as the text and one before it as the id. A
// single one that is a whole id of a loop is one: nobody answers a question with one.
func (p *project) split(ctx context.Context, args []string) (id, text string) {
	switch len(args) {
	case 0:
		return "", ""
	case 1:
		if id, err := p.engine.Find(ctx, args[0]); err == nil && id == args[0] {
			return id, ""
		}
		if id, err := p.planner.FindPlan(ctx, args[0]); err == nil && id == args[0] {
			return id, ""
		}
		return "", args[0]
	}
	return args[0], args[1]
}

// command sends a command and says that it was taken.
func (a *app) command(ctx context.Context, name string, c engine.Command, done string) error {
	p, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	defer p.close()
	return a.send(ctx, p, name, c, done)
}

func (a *app) send(ctx context.Context, p *project, name string, c engine.Command, done string) error {
	if is, err := a.asPlan(ctx, p, name, func(id string) error { return a.commandPlan(ctx, p, id, c, done) }); is {
		return err
	}
	l, err := a.pick(ctx, p, name)
	if err != nil {
		return err
	}
	s, err := p.engine.Send(ctx, l.State.ID, c)
	if errors.Is(err, engine.ErrEnded) {
		return fmt.Errorf("loop %s: %w", l.State.ID, err)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.loopObject(ctx, p, s.ID)
	}
	a.say("%s: %s", s.ID, done)
	return nil
}
