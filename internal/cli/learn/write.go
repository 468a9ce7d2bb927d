package learn

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/engine/worker"
	"ralph/internal/learn"
	"ralph/internal/view"
)

func (a *Commands) learnAddCommand() *cobra.Command {
	var w learn.NoteInput
	var kind string
	cmd := &cobra.Command{
		Use: "add TEXT", Short: "Write a note down for the loops to come",
		Long: `Write a note down for the loops to come. With a fingerprint it is shown where that failure
happens, with paths where work is about them, without both to every loop. What a person
writes counts as reviewed; what is written in an agent's session waits for a review.`,
		Example: `  ralph learn add "The integration tests need a fresh database: make db"
  ralph learn add "Compare in milliseconds" --fingerprint c4d5e6f7
  ralph learn add "Generated: change the .proto instead" --path 'api/gen/**' --kind anti_pattern`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w.Text, w.Kind = args[0], learn.Kind(kind)
			return a.Add(cmd.Context(), w)
		},
	}
	cmd.Flags().StringVar(&w.Fingerprint, "fingerprint", "", "show it where this failure happens: the `HASH` that ralph show prints")
	cmd.Flags().StringArrayVar(&w.Paths, "path", nil, "show it where work is about files that match `GLOB` (may be repeated)")
	cmd.Flags().StringVar(&kind, "kind", string(learn.Note), "`KIND` note, error_fix, success or anti_pattern")
	return cmd
}

func (a *Commands) Add(ctx context.Context, w learn.NoteInput) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	w.By, w.Loop = a.Owner(), a.Getenv("RALPH_LOOP_ID")
	person := a.agentMark() == ""
	if !person {
		w.By = "an agent of " + w.By
	}
	k, err := p.Loops.AddPattern(ctx, w, person)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Encode(view.LearnedOf([]learn.Known{k}))
	}
	a.Say("note %d is kept", k.Num)
	if k.Review != learn.Promoted {
		a.Say("a person can review it: ralph learn promote %d", k.Num)
	}
	return nil
}

func (a *Commands) learnReviewCommand(verb, short string, review learn.Review) *cobra.Command {
	return &cobra.Command{
		Use: verb + " N...", Short: short,
		Example: "  ralph learn " + verb + " 12",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.learnReview(cmd.Context(), args, review)
		},
	}
}

func (a *Commands) learnReview(ctx context.Context, args []string, review learn.Review) error {
	if mark := a.agentMark(); mark != "" {
		return exit.UsageError("type it in a terminal of your own", "only a person reviews notes, and %s says that an agent is at work here", mark)
	}
	nums := make([]int64, len(args))
	for i, text := range args {
		var err error
		if nums[i], err = noteNumber(text); err != nil {
			return err
		}
	}
	p, err := a.openLearned(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	for _, num := range nums { // all of them are there, or nothing is changed
		if _, err := p.Loops.Pattern(ctx, num); err != nil {
			return err
		}
	}
	var done []learn.Known
	for _, num := range nums {
		k, err := p.Loops.ReviewPattern(ctx, num, review)
		if err != nil {
			return err
		}
		done = append(done, k)
		a.Say("note %d is %s", num, review)
		if why := k.Withheld(); why != "" && review == learn.Promoted {
			a.Say("no loop sees note %d yet: %s", num, why)
		}
	}
	if a.JSON {
		return a.Encode(view.LearnedOf(done))
	}
	return nil
}

// agentMark returns the variable that shows that an agent runs this command, if
// one does. Clients of ralph mcp are agents.
func (a *Commands) agentMark() string {
	if a.OnReport != nil {
		return "ralph mcp"
	}
	marks := worker.SessionMarks()
	i := slices.IndexFunc(marks, func(name string) bool { return a.Getenv(name) != "" })
	if i < 0 {
		return ""
	}
	return marks[i]
}
