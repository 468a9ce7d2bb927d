package agentloop

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// DisputeFlags are the flags of ralph dispute.
type DisputeFlags struct {
	ID, Why string
	Files   []string
}

// DisputeCommand returns ralph dispute.
func (c *Commands) DisputeCommand() *cobra.Command {
	var f DisputeFlags
	cmd := &cobra.Command{
		Use:     "dispute GATE --why \"REASON\"",
		GroupID: command.GroupAgents,
		Short:   "Report that a gate contradicts the task, from inside a loop",
		Long: `Report that a gate contradicts the task, from inside a loop. The agent ends its turn;
the attempt is not judged and does not count. The loop waits for a person, who sees the
reason beside the gate and its failing tests, and answers with ralph answer:

  uphold    from now on the work may change the files that the dispute names, and
            the verdict lists those that changed. A dispute without --file is about
            the files that the verdict set aside; else "uphold GLOB…" names them
  dismiss   the gate stays as it is; the next prompt says so

Work that passed its gates but is refused (--refuse suspect) is disputed by that word:
ralph dispute suspect --why "REASON". If it is upheld, such work of this loop passes, and
accept asks a person to confirm it.

Where no test of the task can fail without the work, dispute the proof: ralph dispute proof
--why "REASON". If it is upheld, none has to; the verdict is unproved, and accept asks a person
to confirm it. Where the loop has a spec review, its approval counts as the proof. In a loop
with a gate named proof, the word means that gate.

A loop may raise two disputes. "disputes: dismiss" in ralph.yaml dismisses each at once.`,
		Example: `  ralph dispute tests --file price_test.go --why "wants 3; the task says 4"
  ralph answer ID uphold                    # a person agrees
  ralph answer ID "uphold price_test.go"    # and permits this file only
  ralph answer ID dismiss`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := launch.NotEmpty(cmd, "loop-id"); err != nil {
				return err
			}
			return c.Dispute(cmd.Context(), args[0], f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.Why, "why", "", "the `REASON`, so that a person can judge it without more context")
	fl.StringArrayVar(&f.Files, "file", nil, "a `PATH` that is wrong, from the repository's root (may be given again)")
	fl.StringVar(&f.ID, "loop-id", "", "the loop's `ID` (default: the one this runs in)")
	return cmd
}

// Dispute is ralph dispute.
func (c *Commands) Dispute(ctx context.Context, gate string, f DisputeFlags) error {
	p, err := c.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, err := c.asker(ctx, p, f.ID)
	if err != nil {
		return err
	}
	l, err := p.Loops.Show(ctx, id)
	if err != nil {
		return err
	}
	d := l.State.DisputeOf(gate, f.Why, f.Files)
	if err := l.State.CheckDispute(d); err != nil {
		if errors.Is(err, loop.ErrTooManyDisputes) && l.State.KeepsRefused() {
			known := len(l.State.Disputes)
			_ = c.sendQuestion(ctx, p, id, loop.Question{Dispute: &d}, func(s loop.State) bool { return len(s.Disputes) > known }) // a person reads of it; its answer is this refusal
		}
		return exit.UsageError("ralph dispute --help", "%v", err)
	}
	q, err := c.storeQuestion(ctx, p, id, loop.Question{Dispute: &d})
	if err != nil {
		return err
	}
	switch {
	case c.JSON:
		if err := c.Object(map[string]any{"schema": "ralph.question/v1", "loop_id": id, "question": q}); err != nil {
			return err
		}
	case q.Answered:
		c.Print("dismissed; end your turn\n")
	default:
		c.Print(view.Stored(id, q, c.Now()))
	}
	if q.Answered {
		return nil
	}
	return exit.With(exit.Human)
}
