package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// askFlags are what `ralph ask` was told.
type askFlags struct {
	id, fallback string
	options      []string
	wait         time.Duration
}

func (a *app) askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:     "ask \"QUESTION\"",
		GroupID: groupAgents,
		Short:   "Put a question to a person, from inside a loop",
		Long: `Put a question to a person, from inside a loop. It is stored and shown first in
ralph status; a person answers with ralph answer. With --wait the answer is printed if it
comes in time. Without one the exit code is 3: an agent ends its turn, and has the answer
when it goes on.`,
		Example: `  ralph ask "Which database?" --option postgres --option sqlite
  ralph ask "May I drop the table?" --wait 10m --default no`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.askPerson(cmd.Context(), args[0], f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.id, "loop-id", "", "the loop's `ID` (default: the one this runs in)")
	fl.StringArrayVar(&f.options, "option", nil, "a possible `ANSWER` (may be given again)")
	fl.StringVar(&f.fallback, "default", "", "the `ANSWER` that is proposed")
	fl.DurationVar(&f.wait, "wait", 0, "wait for the answer, at most `DURATION`")
	return cmd
}

func (a *app) askPerson(ctx context.Context, text string, f askFlags) error {
	if strings.TrimSpace(text) == "" {
		return usage(`ralph ask "Which database?"`, "the question is empty")
	}
	p, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	defer p.close()
	id, err := a.asker(ctx, p, f.id)
	if err != nil {
		return err
	}
	q, err := a.storeQuestion(ctx, p, id, loop.Question{Text: text, Options: f.options, Default: f.fallback})
	if err != nil {
		return err
	}
	if f.wait > 0 {
		if q, err = a.awaitAnswer(ctx, p, id, q, f.wait); err != nil {
			return err
		}
	}
	if a.json {
		if err := a.object(map[string]any{"schema": "ralph.question/v1", "loop_id": id, "question": q}); err != nil {
			return err
		}
	} else if q.Answered {
		a.print(q.Answer)
	} else {
		a.print("Stored as " + q.ID + " of " + id + ". A person answers it; end your turn, you have the answer when you go on.")
	}
	if !q.Answered {
		return ends(exitHuman)
	}
	return nil
}

// asker is the loop that a question is put from.
func (a *app) asker(ctx context.Context, p *project, name string) (string, error) {
	if name == "" {
		name = a.getenv("RALPH_LOOP_ID")
	}
	if name != "" {
		return p.engine.Find(ctx, name)
	}
	l, err := a.drivenLoop(ctx, p, "")
	return l.State.ID, err
}

// storeQuestion stores a question. The owner of a supervised loop takes it from its
// inbox, and may refuse it there.
func (a *app) storeQuestion(ctx context.Context, p *project, id string, q loop.Question) (loop.Question, error) {
	before, err := p.engine.Show(ctx, id)
	if err != nil {
		return q, err
	}
	data, err := json.Marshal(q)
	if err != nil {
		return q, err
	}
	if _, err := p.engine.Send(ctx, id, engine.Command{Kind: engine.Ask, Text: string(data), By: owner(a)}); err != nil {
		return q, err
	}
	const patience = 150 // times 100 ms: an owner that hears of nothing looks each 5 s
	for range patience {
		l, err := p.engine.Show(ctx, id)
		if err != nil {
			return q, err
		}
		if n := len(l.State.Questions); n > len(before.State.Questions) {
			return l.State.Questions[n-1], nil
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return q, err
		}
	}
	return q, &failure{code: exitBusy, err: fmt.Errorf("loop %s did not take the question: another one is open, or too many were put", id), hint: "ralph status " + id}
}

func (a *app) awaitAnswer(ctx context.Context, p *project, id string, q loop.Question, wait time.Duration) (loop.Question, error) {
	for until := a.now().Add(wait); a.now().Before(until); {
		l, err := p.engine.Show(ctx, id)
		if err != nil {
			return q, err
		}
		i := slices.IndexFunc(l.State.Questions, func(have loop.Question) bool { return have.ID == q.ID })
		if i >= 0 && l.State.Questions[i].Answered {
			return l.State.Questions[i], nil
		}
		if l.State.Status.Terminal() {
			return q, &failure{code: exitFailed, err: fmt.Errorf("loop %s has ended: %s", id, l.State.Message)}
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return q, err
		}
	}
	return q, nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
