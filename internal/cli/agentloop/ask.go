package agentloop

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
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/view"
)

// AskFlags are the flags of ralph ask.
type AskFlags struct {
	ID, Default string
	Options     []string
	Wait        time.Duration
	// Within is the time for an answer, after which the agent continues with the
	// default; Timed is set where one was given.
	Within time.Duration
	Timed  bool
}

// AskCommand returns ralph ask.
func (c *Commands) AskCommand() *cobra.Command {
	var f AskFlags
	cmd := &cobra.Command{
		Use:     "ask \"QUESTION\"",
		GroupID: command.GroupAgents,
		Short:   "Put a question to a person, from inside a loop",
		Long: `Put a question to a person, from inside a loop. It is stored and shown first in
ralph status; a person answers with ralph answer. With --wait the answer is printed if it
comes in time. Otherwise the exit code is 3: an agent ends its turn, and has the answer
in its next one.

With --within a person has that long to answer, from when the question is stored; then
the default is taken, and run, show, logs and report say so. The loop waits no longer
than that. Without it a question waits for a person.`,
		Example: `  ralph ask "Which database?" --option postgres --option sqlite
  ralph ask "Where to?" --option left --option right --default left --within 30m
  ralph ask "May I drop the table?" --wait 10m --default no`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := launch.NotEmpty(cmd, "loop-id"); err != nil {
				return err
			}
			f.Timed = cmd.Flags().Changed("within")
			return c.AskPerson(cmd.Context(), args[0], f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.ID, "loop-id", "", "the loop's `ID` (default: the one this runs in)")
	fl.StringArrayVar(&f.Options, "option", nil, "a possible `ANSWER` (may be given again)")
	fl.StringVar(&f.Default, "default", "", "the `ANSWER` that is proposed")
	fl.DurationVar(&f.Within, "within", 0, "take the default when there is no answer for `DURATION`")
	fl.DurationVar(&f.Wait, "wait", 0, "wait for the answer, at most `DURATION`")
	return cmd
}

// AskPerson is ralph ask.
func (c *Commands) AskPerson(ctx context.Context, text string, f AskFlags) error {
	asked, err := f.question(text)
	if err != nil {
		return err
	}
	p, err := c.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, err := c.asker(ctx, p, f.ID)
	if err != nil {
		return err
	}
	q, err := c.storeQuestion(ctx, p, id, asked)
	if err != nil {
		return err
	}
	if f.Wait > 0 {
		if q, err = c.awaitAnswer(ctx, p, id, q, f.Wait); err != nil {
			return err
		}
	}
	if c.JSON {
		if err := c.Object(map[string]any{"schema": "ralph.question/v1", "loop_id": id, "question": q}); err != nil {
			return err
		}
	} else if q.Answered {
		c.Print(q.Answer)
	} else {
		c.Print(view.Stored(id, q, c.Now()))
	}
	if !q.Answered {
		return exit.With(exit.Human)
	}
	return nil
}

// question is what is asked. A time for the answer needs a default to continue with
// when it is over, and is one that a person can keep: not over at once, and not
// longer than a year.
func (f AskFlags) question(text string) (loop.Question, error) {
	q := loop.Question{Text: text, Options: f.Options, Default: f.Default, Within: f.Within}
	switch {
	case strings.TrimSpace(text) == "":
		return q, exit.UsageError(`ralph ask "Which database?"`, "the question is empty")
	case f.Timed && f.Within <= 0:
		return q, exit.UsageError("--within 30m", "--within %s: the time is over before anybody can answer", f.Within)
	case f.Within > loop.MaxWithin:
		return q, exit.UsageError("without --within it waits as long as a person needs", "--within %s is longer than a year", f.Within)
	case q.CheckDeadline() != nil:
		return q, exit.UsageError("--default ANSWER --within "+f.Within.String(), "--within needs a --default for the case that there is no answer")
	}
	return q, nil
}

// asker returns the loop that asks. The agent of a loop asks for that loop, and for
// those that an agent drives in the same session.
func (c *Commands) asker(ctx context.Context, p *project.Project, name string) (string, error) {
	own := c.Getenv("RALPH_LOOP_ID")
	if name == "" {
		name = own
	}
	if name == "" {
		l, err := c.find(ctx, p, "")
		return l.State.ID, err
	}
	return c.speaksFor(ctx, p, name)
}

// speaksFor finds a loop. The agent of a loop may name its own one, and those that an
// agent drives and that name no other session.
func (c *Commands) speaksFor(ctx context.Context, p *project.Project, name string) (string, error) {
	own := c.Getenv("RALPH_LOOP_ID")
	id, err := p.Loops.Find(ctx, name)
	if err != nil || own == "" || id == own {
		return id, err
	}
	l, err := p.Loops.Show(ctx, id)
	if err == nil && !c.maySpeakFor(l.State, own) {
		err = exit.UsageError("leave out --loop-id", "the agent of loop %s speaks for its own loop, not for %s", own, id)
	}
	return id, err
}

func (c *Commands) maySpeakFor(s loop.State, own string) bool {
	return s.Mode == loop.AgentDriven && (s.Parent == own || s.Session == "" || s.Session == c.sessionID(""))
}

// storeQuestion stores a question.
func (c *Commands) storeQuestion(ctx context.Context, p *project.Project, id string, q loop.Question) (loop.Question, error) {
	before, err := p.Loops.Show(ctx, id)
	if err != nil {
		return q, err
	}
	newest := func(s loop.State) (q loop.Question) {
		if all := s.Questions; len(all) > 0 {
			q = all[len(all)-1]
		}
		return q
	}
	asked := newest(before.State)
	err = c.sendQuestion(ctx, p, id, q, func(s loop.State) bool {
		now := newest(s)
		taken := now.ID != asked.ID
		asked = now
		return taken
	})
	return asked, err
}

// sendQuestion sends a question and waits until it is taken. The owner of a supervised
// loop takes it from its inbox, and may refuse it there.
func (c *Commands) sendQuestion(ctx context.Context, p *project.Project, id string, q loop.Question, taken func(loop.State) bool) error {
	data, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if _, err := p.Loops.Send(ctx, id, engine.Command{Kind: engine.Ask, Text: string(data), By: c.Owner()}); err != nil {
		return err
	}
	const patience = 150 // times 100 ms: an owner that hears of nothing looks each 5 s
	for range patience {
		l, err := p.Loops.Show(ctx, id)
		if err != nil || taken(l.State) {
			return err
		}
		if err := command.Sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return &exit.Error{Code: exit.Busy, Err: fmt.Errorf("loop %s did not take the question: another one is open, or too many were put", id), Hint: next.Status(id)}
}

// awaitAnswer waits for an answer. When the question's own time is over before the
// wait is, the agent continues with the default: that is recorded first.
func (c *Commands) awaitAnswer(ctx context.Context, p *project.Project, id string, q loop.Question, wait time.Duration) (loop.Question, error) {
	timed := !q.Deadline.IsZero()
	var over engine.Until
	over.Set(q.Deadline, c.Now())
	const patience = 5 * time.Second // for its owner to take the default
	for until := c.Now().Add(wait); c.Now().Before(until); {
		if timed && over.Left() <= 0 {
			timed, until = false, c.Now().Add(max(until.Sub(c.Now()), patience))
			_, err := p.Loops.Send(ctx, id, engine.Command{Kind: engine.Wake, By: loop.ByPolicy, Question: q.ID})
			if _, answered := errors.AsType[*engine.RefusedError](err); err != nil && !answered && !errors.Is(err, engine.ErrEnded) {
				return q, err
			}
		}
		l, err := p.Loops.Show(ctx, id)
		if err == nil && l.Due { // an answer is recorded before it is reported
			err = p.Loops.RecordDue(ctx)
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
