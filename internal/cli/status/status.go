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
	f := engine.Filter{Recent: runs.MostPlans, Unsettled: true}
	if all {
		f.Recent, f.Archived = 0, true
	}
	return p.Planner.List(ctx, f)
}

// planFacts are plans without the loops of their tasks.
func (a *Commands) planFacts(ctx context.Context, p *project.Project, ids []string, all bool) ([]view.PlanItem, error) {
	plans, err := a.plansToShow(ctx, p, ids, all)
	out := make([]view.PlanItem, len(plans))
	for n, l := range plans {
		out[n] = runs.PlanItem(ctx, p, l)
	}
	return out, err
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
	cmd.Flags().BoolVar(&byCode, "exit-code", false, "let the exit code tell how the loop, or all, stands")
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
	loops, more, err := a.statusOf(ctx, p, one, over, !a.JSON)
	if err != nil {
		return err
	}
	if err := a.SettleDue(ctx, p, loops...); err != nil {
		return err
	}
	items, err := runs.Items(ctx, p, loops)
	if err != nil {
		return err
	}
	var counts view.Counts
	if a.JSON {
		counts, err = a.encodeList(ctx, p, ids, items, over, more)
	} else {
		defer a.sayCrashed(loops)
		if counts, err = a.printList(ctx, p, ids, items, over); err != nil {
			return err
		}
		if more && over.all {
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
	asks := c.NeedsYou - c.Unsettled
	switch {
	case fullDisk != "":
		code, why = exit.Human, "the disk of "+fullDisk+" is full"
	case asks > 0:
		code, why = exit.Human, needing(c)
	case c.Unsettled > 0:
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
	if c.Unsettled > 0 {
		words += fmt.Sprintf(", %d of them ended without passing", c.Unsettled)
	}
	return words
}

func (a *Commands) encodeList(ctx context.Context, p *project.Project, ids []string, items []view.Item, over span, more bool) (view.Counts, error) {
	plans, err := a.planFacts(ctx, p, ids, over.all)
	if err != nil {
		return view.Counts{}, err
	}
	o := view.ListOf(items, plans, a.Now())
	o.More, o.FullDisk = more, a.FullDisk(p)
	return o.Counts, a.Encode(o)
}

// printList shows plans with their tasks, and the loops that belong to none.
func (a *Commands) printList(ctx context.Context, p *project.Project, ids []string, items []view.Item, over span) (view.Counts, error) {
	plans, err := a.plansToShow(ctx, p, ids, over.all)
	if err != nil {
		return view.Counts{}, err
	}
	shown, err := runs.PlanItems(ctx, p, plans, false)
	if err == nil && len(items)+len(shown) == 0 && !over.all && a.FullDisk(p) == "" {
		if n, err := archived(ctx, p); err != nil || n > 0 {
			a.Print(view.OnlyArchived(n))
			return view.Counts{}, err
		}
	}
	if err != nil {
		return view.Counts{}, err
	}
	unread := 0
	if len(ids) == 0 && !over.all {
		if unread, err = endedUnread(ctx, p, items, plans); err != nil {
			return view.Counts{}, err
		}
	}
	a.Print(view.List(items, shown, a.FullDisk(p), over.all, unread, a.Now(), a.Palette(a.Out)))
	return view.ListOf(items, shown, a.Now()).Counts, nil
}

// endedUnread counts the runs that have ended and are not archived, besides those that were
// read.
func endedUnread(ctx context.Context, p *project.Project, items []view.Item, read []engine.Plan) (int, error) {
	loops, err := p.Engine.Count(ctx, engine.Filter{Ended: true, Apart: true})
	if err != nil {
		return 0, err
	}
	for _, i := range items {
		if i.State.Status.Terminal() && !i.Facts.Archived {
			loops--
		}
	}
	if len(read) < runs.MostPlans { // these are all
		return max(loops, 0), nil
	}
	plans, err := p.Planner.Marks(ctx, engine.Filter{})
	return max(loops, 0) + max(len(plans)-len(read), 0), err
}

// archived counts the runs that a person started and that are archived.
func archived(ctx context.Context, p *project.Project) (int, error) {
	loops, err := p.Engine.Count(ctx, engine.Filter{Ended: true, Archived: true, Apart: true})
	if err != nil {
		return 0, err
	}
	plans, err := p.Planner.Marks(ctx, engine.Filter{Archived: true})
	return loops + len(plans), err
}

// statusOf is the loops to show: one, or those that have not ended, those that wait
// for a person, and the newest that have ended. More of them ended before. With apart, those of plans stand
// under their plan.
func (a *Commands) statusOf(ctx context.Context, p *project.Project, one *runs.Loop, over span, apart bool) (loops []engine.Loop, more bool, err error) {
	if one != nil {
		return []engine.Loop{one.Now}, false, nil
	}
	if loops, err = p.Engine.List(ctx, engine.Filter{Active: true, Apart: apart}); err != nil {
		return nil, false, err
	}
	f := engine.Filter{Ended: true, Apart: apart, Archived: over.all}
	if over.most > 0 {
		f.Limit = over.most + 1
	}
	newest, err := p.Engine.List(ctx, f)
	if over.most > 0 && len(newest) > over.most {
		newest, more = newest[:over.most], true
	}
	if err != nil {
		return nil, false, err
	}
	newest, err = runs.WithUnsettled(ctx, p, newest, engine.Filter{Apart: apart})
	return append(loops, newest...), more, err
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
