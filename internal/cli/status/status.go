package status

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/text"
	"ralph/internal/view"
)

// sayCrashed tells a person at a terminal what there is to do about more than
// one crashed loop; the command for a single one stands beside it.
func (a *Commands) sayCrashed(loops []engine.Loop) {
	n := 0
	for _, l := range loops {
		if l.Crashed {
			n++
		}
	}
	if n > 1 && a.IsTerminal(a.Out) {
		a.Say("\n%d loops crashed; ralph resume asks what to do with each, ralph resume --crashed resumes all", n)
	}
}

// plansToShow returns the active plans, those that wait for a person, and the newest
// that have ended.
func (a *Commands) plansToShow(ctx context.Context, p *project.Project, ids []string, all bool) ([]engine.Plan, error) {
	if len(ids) > 0 {
		return nil, nil
	}
	most := runs.MostPlans
	if all {
		most = 0
	}
	return engine.Overview(ctx, p.Plans.List, engine.Filter{Archived: all}, most)
}

// planItems returns plans without the loops of their tasks.
func (a *Commands) planItems(ctx context.Context, p *project.Project, ids []string, all bool) ([]view.PlanItem, error) {
	plans, err := a.plansToShow(ctx, p, ids, all)
	if err != nil {
		return nil, err
	}
	return runs.PlanItems(ctx, p, plans, runs.AtWork)
}

// recent is how many ended loops status shows without --all.
const recent = 5

func (a *Commands) StatusCommand() *cobra.Command {
	var all, byCode bool
	var limit int
	cmd := &cobra.Command{
		Use:     "status [ID]",
		GroupID: command.GroupWatch,
		Short:   "What needs you, what runs, what waits, what ended",
		Example: `  ralph status                # the loops of this repository
  ralph status --all          # also what ended or is archived: the newest 50
  ralph status --all --limit 0   # every loop
  ralph status --json         # for programs
  ralph status --exit-code    # 3 a question or a crash, 1 a failure, 2 unfinished, 0 nothing
  ralph status ID --exit-code # 0 passed, 1 failed, 2 unfinished, 3 needs you`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return exit.UsageError("--limit 200", "--limit %d: use 0 or more", limit)
			}
			return a.status(cmd.Context(), args, ended(all, limit), byCode)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every loop that has not ended, and the newest that have")
	cmd.Flags().IntVar(&limit, "limit", project.MostEnded, "with --all: at most `N` ended loops; 0 is no limit")
	cmd.Flags().BoolVar(&byCode, "exit-code", false, "report the state of the loop, or of all loops, by the exit code")
	a.LoopIDFlag(cmd)
	return cmd
}

// span is how many ended loops are wanted; all of them with most 0.
type span struct {
	all  bool
	most int
}

func ended(all bool, limit int) span {
	if !all {
		return span{most: recent}
	}
	return span{all: true, most: limit}
}

func (a *Commands) status(ctx context.Context, ids []string, over span, byCode bool) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	var one *runs.Loop
	if len(ids) > 0 {
		r, err := runs.Find(ctx, a.Opener, p, ids[0], runs.Wanted{})
		if err != nil {
			return err
		}
		var ok bool
		if one, ok = r.(*runs.Loop); !ok {
			if err := a.show(ctx, r, false); err != nil || !byCode {
				return err
			}
			return exit.With(exit.CodeOfStatus(r.Outcome()))
		}
	}
	loops, left, err := a.statusOf(ctx, p, one, over, !a.JSON)
	if err != nil {
		return err
	}
	if err := a.RecordDue(ctx, p, loops...); err != nil {
		return err
	}
	if err := completeReady(ctx, p, loops); err != nil {
		return err
	}
	items, err := runs.Items(ctx, p, loops)
	if err != nil {
		return err
	}
	var counts view.Counts
	if a.JSON {
		counts, err = a.encodeList(ctx, p, ids, items, over, left > 0)
	} else {
		defer a.sayCrashed(loops)
		if counts, err = a.printList(ctx, p, ids, items, over, left); err != nil {
			return err
		}
		if left > 0 && over.all {
			a.Print("\nolder ones: ralph status --all --limit 0")
		}
	}
	if len(ids) == 0 {
		a.warnForeign(ctx, p)
	}
	switch {
	case err != nil || !byCode:
		return err
	case one != nil:
		return exit.With(exit.CodeOfStatus(one.Outcome()))
	}
	return a.exitAs(counts, a.FullDisk(p))
}

// exitAs ends with the code of the most urgent thing in a list, and says which it was.
func (a *Commands) exitAs(c view.Counts, fullDisk string) error {
	code, why := exit.Done, "nothing needs you, and nothing is unfinished"
	asks := c.NeedsYou - c.Undecided
	switch {
	case fullDisk != "":
		code, why = exit.Human, "the disk of "+fullDisk+" is full"
	case asks > 0:
		code, why = exit.Human, needing(c)
	case c.Undecided > 0:
		code, why = exit.Failed, needing(c)
	case c.Running+c.Waiting > 0:
		code, why = exit.Unfinished, text.Plural(c.Running+c.Waiting, "run")+" not finished"
	case c.Ready > 0:
		why = text.Plural(c.Ready, "run") + " ready to accept, and nothing is unfinished"
	}
	a.Say("exit code %d: %s", code, why)
	return exit.With(code)
}

// needing counts the runs under NEEDS YOU, and those among them that have ended.
func needing(c view.Counts) string {
	words := text.Plural(c.NeedsYou, "run") + " under NEEDS YOU"
	if c.Undecided > 0 {
		words += fmt.Sprintf(", %d of them ended without passing", c.Undecided)
	}
	return words
}

func (a *Commands) encodeList(ctx context.Context, p *project.Project, ids []string, items []view.Item, over span, more bool) (view.Counts, error) {
	plans, err := a.planItems(ctx, p, ids, over.all)
	if err != nil {
		return view.Counts{}, err
	}
	full := a.FullDisk(p)
	view.OnFullDisk(items, plans, full)
	o := view.ListOf(items, plans, a.Now())
	o.More, o.FullDisk = more, full
	return o.Counts, a.Encode(o)
}

// printList shows plans with their tasks, and the loops that belong to none. left is how
// many of these are not among items.
func (a *Commands) printList(ctx context.Context, p *project.Project, ids []string, items []view.Item, over span, left int) (view.Counts, error) {
	plans, err := a.plansToShow(ctx, p, ids, over.all)
	if err != nil {
		return view.Counts{}, err
	}
	shown, err := runs.PlanItems(ctx, p, plans, runs.Listed)
	if err == nil && len(items)+len(shown) == 0 && !over.all && a.FullDisk(p) == "" {
		if n, err := runs.ArchivedRuns(ctx, p); err != nil || n > 0 {
			a.Print(view.OnlyArchived(n))
			return view.Counts{}, err
		}
	}
	if err != nil {
		return view.Counts{}, err
	}
	if len(ids) == 0 && !over.all {
		unread, err := engine.Unlisted(ctx, p.Plans.Count, engine.Filter{}, runs.MostPlans, plans)
		if err != nil {
			return view.Counts{}, err
		}
		left += unread
	}
	full := a.FullDisk(p)
	view.OnFullDisk(items, shown, full)
	a.Print(view.List(items, shown, full, over.all, left, a.Now(), a.Palette(a.Out)))
	return view.ListOf(items, shown, a.Now()).Counts, nil
}

// statusOf is the loops to show: one, or those that have not ended, those that wait
// for a person, and the newest that have ended. left is how many more have ended. With
// apart, those of plans stand under their plan.
func (a *Commands) statusOf(ctx context.Context, p *project.Project, one *runs.Loop, over span, apart bool) (loops []engine.Loop, left int, err error) {
	if one != nil {
		return []engine.Loop{one.Now}, 0, nil
	}
	f := engine.Filter{Apart: apart, Archived: over.all}
	if loops, err = engine.Overview(ctx, p.Loops.List, f, over.most); err == nil {
		left, err = engine.Unlisted(ctx, p.Loops.Count, f, over.most, loops)
	}
	return loops, left, err
}

// Overview is `ralph` alone: the state of the project, or how to start.
func (a *Commands) Overview(ctx context.Context) error {
	return a.status(ctx, nil, ended(false, 0), false)
}

// warnForeign says that state of another runner lies here, in one line.
func (a *Commands) warnForeign(ctx context.Context, p *project.Project) {
	if left := project.Foreign(ctx, p.Place.MainRoot, p.Store); len(left) > 0 {
		a.Note("state of another runner lies here (%s); see ralph migrate --dry-run", strings.Join(left, ", "))
	}
}
