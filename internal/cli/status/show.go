package status

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
)

func (a *Commands) ShowCommand() *cobra.Command {
	var diff, evidence, history, checkpoints, attempts, force bool
	var prompt int
	var trace string
	cmd := &cobra.Command{
		Use:     "show [ID]",
		GroupID: command.GroupWatch,
		Short:   "The story of one loop: attempts, failures, evidence",
		Example: `  ralph show ID               # facts, attempts, the last failure verbatim
  ralph show ID --diff        # what the work changes
  ralph show ID --evidence    # every gate: command, exit code, output, digest
  ralph show ID --prompt 3    # what the agent was told on attempt 3
  ralph show ID --checkpoints # to resume from one: ralph resume ID --from N
  ralph show ID --attempts    # time, value, tokens and files of each attempt
  ralph show ID --trace out.html # one file: prompt, gates and diff of each attempt
  ralph show ID --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range []string{"prompt", "diff", "trace"} {
				if a.JSON && cmd.Flags().Changed(name) {
					return exit.UsageError("leave out --json", "--%s is no JSON; --json does not include it", name)
				}
			}
			ctx := cmd.Context()
			p, err := a.Open(ctx, true)
			if err != nil {
				return err
			}
			defer p.Close()
			r, err := runs.Find(ctx, a.Opener, p, command.First(args), runs.Wanted{Ended: true})
			if err != nil {
				return err
			}
			one, ok := r.(*runs.Loop)
			if !ok {
				id := r.Outcome().ID
				for _, name := range []string{"prompt", "history", "checkpoints", "attempts", "trace"} {
					if cmd.Flags().Changed(name) {
						return exit.UsageError(next.Show(id)+" names the loops of its tasks, "+next.Logs(id)+" its steps", "--%s is about a loop, and %s is a plan", name, id)
					}
				}
				if pl, ok := r.(*runs.Plan); ok && evidence && !a.JSON {
					return a.planEvidence(ctx, p, pl.Now)
				}
				return a.show(ctx, r, diff)
			}
			l := one.Now
			paint := a.Palette(a.Out)
			switch {
			case trace != "":
				return a.writeTrace(l, trace, force)
			case checkpoints:
				return a.showCheckpoints(ctx, p, l)
			case attempts:
				return a.showAttempts(l)
			case a.JSON:
				return r.Write(ctx)
			case cmd.Flags().Changed("prompt"):
				return a.showPrompt(l, prompt)
			case evidence:
				a.Print(project.View(l, a.Now()).Evidence(a.Now(), paint))
			case history:
				return a.showHistory(ctx, p, l)
			default:
				return a.show(ctx, r, diff)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&diff, "diff", false, "the difference between the base and the newest work")
	cmd.Flags().BoolVar(&evidence, "evidence", false, "what every gate left; of a plan, its reviews, too")
	cmd.Flags().BoolVar(&history, "history", false, "every event")
	cmd.Flags().BoolVar(&checkpoints, "checkpoints", false, "the saved states of the tree, one for each half hour of work")
	cmd.Flags().BoolVar(&attempts, "attempts", false, "the figures of every attempt")
	cmd.Flags().IntVar(&prompt, "prompt", 0, "the prompt of attempt `N` (0: the newest)")
	cmd.Flags().StringVar(&trace, "trace", "", "write `FILE`, a self-contained page: each attempt with its prompt, gates and diff")
	cmd.Flags().BoolVar(&force, "force", false, "with --trace: overwrite a file that is no trace")
	a.LoopIDFlag(cmd)
	return cmd
}

func (a *Commands) showCheckpoints(ctx context.Context, p *project.Project, l engine.Loop) error {
	all, err := p.Loops.Checkpoints(ctx, l.State.ID)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Encode(view.CheckpointsOf(l.State.ID, all))
	}
	a.Print(view.Checkpoints(l.State, all, a.Now(), a.Palette(a.Out)))
	return nil
}

// showAttempts prints the figures of each attempt.
func (a *Commands) showAttempts(l engine.Loop) error {
	if a.JSON {
		return a.Encode(project.View(l, a.Now()).AttemptsObject())
	}
	a.Print(project.View(l, a.Now()).AttemptsTable(a.Palette(a.Out)))
	return nil
}

func (a *Commands) showPrompt(l engine.Loop, n int) error {
	if n == 0 {
		n = l.State.Iteration
	}
	f, err := engine.Open(engine.Layout{Dir: l.Dir}.Prompt(n), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return exit.UsageError(next.Show(l.State.ID)+" lists the attempts", "attempt %d has no prompt", n)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	a.Print(string(text))
	return nil
}

func (a *Commands) showHistory(ctx context.Context, p *project.Project, l engine.Loop) error {
	var seen int64
	var log view.Log
	for {
		rows, err := p.Loops.Events(ctx, l.State.ID, seen)
		if err != nil || len(rows) == 0 && seen > 0 {
			return err
		}
		a.Print(strings.TrimRight(log.Lines(records(rows), a.Now(), a.Palette(a.Out)), "\n"))
		if len(rows) == 0 {
			return nil
		}
		seen = rows[len(rows)-1].Seq
	}
}

func records(rows []engine.Event) []view.PastEvent {
	out := make([]view.PastEvent, 0, len(rows))
	for _, r := range rows {
		if e, known := r.Decoded.(loop.Event); known {
			out = append(out, view.PastEvent{Seq: r.Seq, Event: e})
		}
	}
	return out
}

// show describes a run, or prints the difference that its work makes.
func (a *Commands) show(ctx context.Context, r runs.Run, diff bool) error {
	switch {
	case diff:
		return a.showDiff(ctx, r)
	case a.JSON:
		return r.Write(ctx)
	}
	words, err := r.Text(ctx)
	if err == nil {
		a.Print(words)
	}
	return err
}

func (a *Commands) showDiff(ctx context.Context, r runs.Run) error {
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	base, head := r.Diff()
	if head == "" {
		a.Say("nothing was committed")
		return nil
	}
	patch, cut, err := p.Repo.Diff(ctx, base, head, 0)
	if err != nil {
		return err
	}
	words := string(patch)
	if a.IsTerminal(a.Out) {
		words = text.Visible(words)
	}
	a.Print(words)
	if cut {
		a.Say("cut: the whole is git diff %s %s", base, head)
	}
	return nil
}
