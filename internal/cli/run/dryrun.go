package run

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/prompt"
	"ralph/internal/text"
	"ralph/internal/view"
)

// dryRun shows every command, worktree and branch and the first prompt.
// Nothing is written and nothing is started.
func (a *Commands) dryRun(ctx context.Context, p *project.Project, spec loop.Spec) error {
	s := loop.New(spec, a.Now())
	words, err := firstPrompt(p, s, a.notesFor(ctx, p, s)...)
	if err != nil {
		return err
	}
	trees := a.TreeRoot(p)
	by, err := a.Kit.Choose(ctx, spec.Sandbox, spec.InPlace)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(map[string]any{
			"schema": "ralph.dryrun/v1", "spec": spec, "sandbox": by, "worktrees": trees, "prompt": words, "started": false,
		})
	}
	var b strings.Builder
	paint := a.Palette(a.Out)
	for _, l := range append(view.Opening(s, paint), view.SessionBudget(p.Settings.BudgetOf(loop.SessionLevel), paint)...) {
		fmt.Fprintln(&b, l)
	}
	holds, err := a.SandboxLine(ctx, p, spec)
	if err != nil {
		return err
	}
	fmt.Fprintln(&b, holds)
	fmt.Fprintf(&b, "command %s\n", text.Clean(launch.CommandLine(spec.Agent)))
	for _, c := range spec.Setup {
		fmt.Fprintf(&b, "setup   %s\n", text.Clean(c))
	}
	work := filepath.Join(trees, "agent-…")
	if spec.InPlace {
		work = spec.Root + " (in place)"
	}
	fmt.Fprintf(&b, "works   %s\njudges  %s\nprompt  %d bytes:\n\n%s\nNothing was started (--dry-run).\n", work, filepath.Join(trees, "gate-…"), len(words), words)
	a.Print(b.String())
	return nil
}

// firstPrompt is what the agent of attempt 1 will read. Building it shows a
// mistake in the project's own template before anything has been started.
func firstPrompt(p *project.Project, s loop.State, notes ...learn.Known) (string, error) {
	page, err := prompt.Build(prompt.Input{State: s, Attempt: 1, StateFile: p.StateFile(s.ID), Template: p.Prompt, Learned: notes})
	if err != nil {
		return "", &exit.Error{Code: exit.Config, Err: err, Hint: "fix the template that prompt.dir names"}
	}
	return page.Text, nil
}

// notesFor returns the notes that the first prompt of a loop would show, as far
// as they depend on no gate. Errors are ignored: notes are a help, no condition.
func (a *Commands) notesFor(ctx context.Context, p *project.Project, s loop.State) []learn.Known {
	if err := a.Connect(ctx, p, true); err != nil {
		return nil
	}
	defer p.Close()
	var names []string
	if files, err := p.Repo.ListTree(ctx, s.Base); err == nil {
		for _, f := range files {
			names = append(names, f.Path)
		}
	}
	found, err := p.Engine.Recall(ctx, s, names)
	if err != nil {
		return nil
	}
	return found
}
