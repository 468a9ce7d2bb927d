package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// askFlags are what `ralph ask` was told.
type askFlags struct {
	id, fallback string
	options      []string
	wait         time.Duration
	// within is how long the agent can wait before it goes on with the fallback;
	// timed: it was given.
	within time.Duration
	timed  bool
}

func (a *app) askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:     "ask \"QUESTION\"",
		GroupID: command.GroupAgents,
		Short:   "Put a question to a person, from inside a loop",
		Long: `Put a question to a person, from inside a loop. It is stored and shown first in
ralph status; a person answers with ralph answer. With --wait the answer is printed if it
comes in time. Without one the exit code is 3: an agent ends its turn, and has the answer
when it goes on.

With --within a person has that long to answer, from when the question is stored; then
the default is taken, and run, show, logs and report tell that nobody decided. The loop is
held up no longer than that. Without it a question waits for a person.`,
		Example: `  ralph ask "Which database?" --option postgres --option sqlite
  ralph ask "Which way?" --option left --option right --default left --within 30m
  ralph ask "May I drop the table?" --wait 10m --default no`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.timed = cmd.Flags().Changed("within")
			return a.askPerson(cmd.Context(), args[0], f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.id, "loop-id", "", "the loop's `ID` (default: the one this runs in)")
	fl.StringArrayVar(&f.options, "option", nil, "a possible `ANSWER` (may be given again)")
	fl.StringVar(&f.fallback, "default", "", "the `ANSWER` that is proposed")
	fl.DurationVar(&f.within, "within", 0, "take the default when nobody has answered for `DURATION`")
	fl.DurationVar(&f.wait, "wait", 0, "wait for the answer, at most `DURATION`")
	return cmd
}

func (a *app) askPerson(ctx context.Context, text string, f askFlags) error {
	asked, err := f.question(text)
	if err != nil {
		return err
	}
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, err := a.asker(ctx, p, f.id)
	if err != nil {
		return err
	}
	q, err := a.storeQuestion(ctx, p, id, asked)
	if err != nil {
		return err
	}
	if f.wait > 0 {
		if q, err = a.awaitAnswer(ctx, p, id, q, f.wait); err != nil {
			return err
		}
	}
	if a.JSON {
		if err := a.Object(map[string]any{"schema": "ralph.question/v1", "loop_id": id, "question": q}); err != nil {
			return err
		}
	} else if q.Answered {
		a.Print(q.Answer)
	} else {
		a.Print(view.Stored(id, q, a.Now()))
	}
	if !q.Answered {
		return exit.With(exit.Human)
	}
	return nil
}

// question is what is asked. A time for the answer needs something to go on with
// when it is over, and is one that a person can keep: not over at once, and not
// longer than a year.
func (f askFlags) question(text string) (loop.Question, error) {
	q := loop.Question{Text: text, Options: f.options, Default: f.fallback, Within: f.within}
	switch {
	case strings.TrimSpace(text) == "":
		return q, exit.UsageError(`ralph ask "Which database?"`, "the question is empty")
	case f.timed && f.within <= 0:
		return q, exit.UsageError("--within 30m", "--within %s: the time is over before anybody can answer", f.within)
	case f.within > loop.MaxWithin:
		return q, exit.UsageError("without --within it waits as long as a person needs", "--within %s is longer than a year", f.within)
	case q.CheckDeadline() != nil:
		return q, exit.UsageError("--default ANSWER --within "+f.within.String(), "--within needs a --default to go on with when nobody has answered")
	}
	return q, nil
}

// asker is the loop that a question is put from.
func (a *app) asker(ctx context.Context, p *project.Project, name string) (string, error) {
	if name == "" {
		name = a.Getenv("RALPH_LOOP_ID")
	}
	if name != "" {
		return p.Engine.Find(ctx, name)
	}
	l, err := a.drivenLoop(ctx, p, "")
	return l.State.ID, err
}

// storeQuestion stores a question. The owner of a supervised loop takes it from its
// inbox, and may refuse it there.
func (a *app) storeQuestion(ctx context.Context, p *project.Project, id string, q loop.Question) (loop.Question, error) {
	before, err := p.Engine.Show(ctx, id)
	if err != nil {
		return q, err
	}
	data, err := json.Marshal(q)
	if err != nil {
		return q, err
	}
	if _, err := p.Engine.Send(ctx, id, engine.Command{Kind: engine.Ask, Text: string(data), By: a.Owner()}); err != nil {
		return q, err
	}
	const patience = 150 // times 100 ms: an owner that hears of nothing looks each 5 s
	for range patience {
		l, err := p.Engine.Show(ctx, id)
		if err != nil {
			return q, err
		}
		if n := len(l.State.Questions); n > len(before.State.Questions) {
			return l.State.Questions[n-1], nil
		}
		if err := command.Sleep(ctx, 100*time.Millisecond); err != nil {
			return q, err
		}
	}
	return q, &exit.Error{Code: exit.Busy, Err: fmt.Errorf("loop %s did not take the question: another one is open, or too many were put", id), Hint: "ralph status " + id}
}

// awaitAnswer waits for an answer. When the question's own time is over before the
// wait is, whoever waits goes on with the default: that is recorded first.
func (a *app) awaitAnswer(ctx context.Context, p *project.Project, id string, q loop.Question, wait time.Duration) (loop.Question, error) {
	timed := !q.Deadline.IsZero()
	var over engine.Until
	over.Hear(q.Deadline, a.Now())
	const patience = 5 * time.Second // for its owner to take the default
	for until := a.Now().Add(wait); a.Now().Before(until); {
		if timed && over.Left() <= 0 {
			timed, until = false, a.Now().Add(max(until.Sub(a.Now()), patience))
			_, err := p.Engine.Send(ctx, id, engine.Command{Kind: engine.Wake, By: loop.ByPolicy, Question: q.ID})
			if _, answered := errors.AsType[*loop.Refused](err); err != nil && !answered && !errors.Is(err, engine.ErrEnded) {
				return q, err
			}
		}
		l, err := p.Engine.Show(ctx, id)
		if err == nil && l.Due { // whoever is told an answer finds it in the record
			err = p.Engine.Settle(ctx)
		}
		if err != nil {
			return q, err
		}
		i := slices.IndexFunc(l.State.Questions, func(have loop.Question) bool { return have.ID == q.ID })
		if i >= 0 && l.State.Questions[i].Answered {
			return l.State.Questions[i], nil
		}
		if l.State.Status.Terminal() {
			return q, &exit.Error{Code: exit.Failed, Err: fmt.Errorf("loop %s has ended: %s", id, l.State.Message)}
		}
		if err := command.Sleep(ctx, 200*time.Millisecond); err != nil {
			return q, err
		}
	}
	return q, nil
}
