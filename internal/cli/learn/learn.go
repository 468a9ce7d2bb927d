package learn

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/learn"
	"ralph/internal/view"
)

func (a *Commands) LearnCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "learn",
		GroupID: command.GroupAgents,
		Short:   "What loops learned from each other, and which of it helps",
		Long: `What loops of this repository learned from each other: failures and the change that
ended them, approaches that were given up, how tasks passed. The few that fit are shown to
new loops, quoted and marked as notes, once the work that they come from was accepted
(ralph accept); notes of failed, aborted or unaccepted loops are listed with the reason why
no loop sees them. Of loops that an agent drove, and of notes that an agent wrote, those
count that a person promoted. Without learn: on, only promoted notes are shown; learn: off
switches it off.`,
		Example: `  ralph learn list                 # what helps comes first
  ralph learn search "undefined: Clock"
  ralph learn show 12
  ralph learn add "Never call time.Now in auth" --path 'internal/auth/**'
  ralph learn promote 12           # a person has looked at it
  ralph learn drop 7               # never show it again
  ralph learn export .aiwg/ralph   # as files for other tools`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.learnList(cmd.Context(), "", false)
		},
	}
	cmd.AddCommand(
		a.learnListCommand(), a.learnSearchCommand(), a.learnShowCommand(), a.learnAddCommand(),
		a.learnReviewCommand("promote", "Say that a note is good: it is shown before others", learn.Promoted),
		a.learnReviewCommand("drop", "Never show a note again, also when it is learned anew", learn.Dropped),
		a.learnExportCommand(),
	)
	return cmd
}

func (a *Commands) learnListCommand() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "list", Short: "Notes, those that help first",
		Example: "  ralph learn list\n  ralph learn list --all    # every one, dropped ones too",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.learnList(cmd.Context(), "", all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "every one, dropped ones too")
	return cmd
}

func (a *Commands) learnSearchCommand() *cobra.Command {
	return &cobra.Command{
		Use: "search QUERY", Short: "Notes that hold all words of a text: of an error, a file, a fingerprint",
		Example: "  ralph learn search \"undefined: Clock\"\n  ralph learn search c4d5e6f7",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.learnList(cmd.Context(), strings.Join(args, " "), false)
		},
	}
}

func (a *Commands) learnList(ctx context.Context, text string, all bool) error {
	p, err := a.openLearned(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	found, err := p.Loops.Patterns(ctx, engine.PatternQuery{Text: text, Dropped: all})
	if a.agentMark() != "" {
		found = learn.Usable(found)
	}
	switch {
	case err != nil:
		return err
	case a.JSON:
		return a.Encode(view.LearnedOf(found))
	case len(found) == 0 && text != "":
		a.Say("nothing that was learned holds all of: %s", text)
		return nil
	case text != "" && a.agentMark() != "":
		a.quoteNotes(found)
		return nil
	}
	shown := found
	if !all {
		shown = found[:min(len(found), mostNotes)]
	}
	a.Print(view.Learned(shown, a.Palette(a.Out)))
	if n := len(found) - len(shown); n > 0 {
		a.Say("%d more: ralph learn list --all, or search for words", n)
	}
	return nil
}

// mostNotes is how many a list shows without --all.
const mostNotes = 30

// quoteNotes shows an agent what was found: a few notes, as quotations.
func (a *Commands) quoteNotes(found []learn.Known) {
	section, shown := learn.Render(found, "", learn.MostBytes)
	a.Print(section)
	if n := len(found) - len(shown); n > 0 {
		a.Say("%d more hold this too: search for more words", n)
	}
}

func (a *Commands) learnShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show N", Short: "Everything that is kept of one note",
		Example: "  ralph learn show 12",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			num, err := noteNumber(args[0])
			if err != nil {
				return err
			}
			p, err := a.openLearned(cmd.Context())
			if err != nil {
				return err
			}
			defer p.Close()
			k, err := p.Loops.Pattern(cmd.Context(), num)
			if err != nil {
				return err
			}
			return a.showPattern(k)
		},
	}
}

func (a *Commands) showPattern(k learn.Known) error {
	why := k.Withheld()
	switch {
	case why != "" && a.agentMark() != "":
		return exit.UsageError("ralph learn search", "note %d is not shown to agents: %s", k.Num, why)
	case a.JSON:
		return a.Encode(view.LearnedOf([]learn.Known{k}))
	case a.agentMark() != "":
		a.quoteNotes([]learn.Known{k})
	default:
		a.Print(view.Pattern(k, a.Palette(a.Out)))
	}
	return nil
}

func noteNumber(text string) (int64, error) {
	num, err := strconv.ParseInt(text, 10, 64)
	if err != nil || num < 1 {
		return 0, exit.UsageError("ralph learn list tells the numbers", "%q is no number of a note", text)
	}
	return num, nil
}

// openLearned opens the store to look at what was learned. Where there is one
// it is opened for writing, so that loops whose owner died before it had learned from
// them are learned from now.
func (a *Commands) openLearned(ctx context.Context) (*project.Project, error) {
	p, err := a.Open(ctx, true)
	if err != nil || !p.Recorded() {
		return p, err
	}
	p.Close()
	return p, a.Connect(ctx, p, false)
}
