package plan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/engine/planner"
	"ralph/internal/money"
	"ralph/internal/next"
	"ralph/internal/planfile"
	"ralph/internal/proc"
	"ralph/internal/text"
	"ralph/internal/view"
)

// agree shows a draft, and lets a person at a terminal edit, keep or drop it. again:
// the agent is to change it.
func (d *drafting) agree(ctx context.Context, done planner.Consulted) (again bool, err error) {
	d.Say("wrote %s: %s", text.Clean(d.name), d.costs(done))
	for {
		o, f := d.drafted(done)
		if d.JSON {
			return false, errors.Join(d.Object(o), soundness(o))
		}
		d.show(o, f)
		if !d.Asks() || d.Yes {
			return false, d.kept(ctx, o, f)
		}
		answer, err := d.Ask(ctx, "[K]eep, [e]dit, [c]hange by the agent, [d]rop? ")
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "", "k", "keep":
			return false, d.kept(ctx, o, f)
		case "e", "edit":
			if err := d.edit(ctx); err != nil {
				return false, err
			}
		case "c", "change":
			if d.request.Before = string(d.current()); d.wantsChanged(ctx) {
				return true, nil
			}
		case "d", "drop":
			d.Say("dropped %s", text.Clean(d.name))
			return false, os.Remove(d.path)
		}
	}
}

// wantsChanged asks what is to be changed; an empty line is nothing.
func (d *drafting) wantsChanged(ctx context.Context) bool {
	words, err := d.Ask(ctx, "What should change? ")
	d.request.Changes = words
	return err == nil && words != ""
}

func (d *drafting) costs(done planner.Consulted) string {
	line := "drafted by " + d.asked.Agents[0].Name
	if done.Tries > 1 {
		line += fmt.Sprintf(", try %d", done.Tries)
	}
	if c := done.Usage.CostMicroUSD; c != nil {
		line += ", " + money.Show(*c)
	}
	return text.Clean(line)
}

// show prints the plan, or what is wrong with it.
func (d *drafting) show(o Drafted, f planfile.File) {
	if o.Valid {
		d.Print(d.Palette(d.Out).Out(view.PlanDocument(d.name, f)))
		return
	}
	d.printCheck(Check{File: d.name, Errors: o.Errors})
}

// edit opens the file in the person's editor.
func (d *drafting) edit(ctx context.Context) error {
	code, err := proc.Interact(ctx, proc.Command{
		Argv: []string{"sh", "-c", d.editor() + ` "$1"`, "sh", d.path}, Dir: d.Dir, Env: d.Env, Stdin: d.In,
	}, d.Out, d.Err)
	if err == nil && code != 0 {
		d.Say("! %s ended with exit code %d", text.Clean(d.editor()), code)
	}
	return err
}

// kept tells the next step.
func (d *drafting) kept(ctx context.Context, o Drafted, f planfile.File) error {
	if !o.Valid {
		d.Say("it is kept; correct it, then: %s", next.PlanCheck(d.name))
		return soundness(o)
	}
	d.Say("read it, edit it; then have it reviewed: %s", next.PlanCheck(d.name, "--review"))
	if len(d.unproved(ctx, d.realPlan(d.name), f.Plan)) > 0 {
		d.Say("next: %s", next.Run(d.name, "--until "+next.Blank))
		return nil
	}
	d.Say("next: %s", next.Run(d.name))
	return nil
}

// soundness is the exit code: a plan that cannot be run is a failure.
func soundness(o Drafted) error {
	if o.Valid {
		return nil
	}
	return exit.With(exit.Failed)
}
