package runs

import (
	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/next"
)

// Cleaned is what a command deleted and what it left.
type Cleaned struct {
	DryRun        bool
	Removed, Kept []string
	Unkept        []engine.Unkept
}

// TellCleaned prints it.
func TellCleaned(a *project.Opener, c Cleaned) error {
	if a.JSON {
		return a.Object(map[string]any{
			"schema": "ralph.clean/v1", "dry_run": c.DryRun, "removed": append([]string{}, c.Removed...),
			"kept": append([]string{}, c.Kept...), "unkept": append([]engine.Unkept{}, c.Unkept...),
		})
	}
	verb := "deleted"
	if c.DryRun {
		verb = "would delete"
	}
	for _, r := range c.Removed {
		a.Say("%s %s", verb, r)
	}
	for _, k := range c.Kept {
		a.Say("kept %s", k)
	}
	for _, u := range c.Unkept {
		if u.Loop == "" {
			a.Say("kept worktree %s: no branch has its commit %.10s\n  keep it: %s\n  drop it: %s", u.Worktree, u.Commit, command.KeepCommit(u.Commit), command.DropWorktree(u.Worktree))
			continue
		}
		a.Say("kept worktree %s: the work of loop %s in it could not be kept on a branch\n  keep it: %s\n  drop it: %s", u.Worktree, u.Loop, command.KeepWork(u.Worktree, u.Loop), next.CleanDrop(u.Loop))
	}
	return nil
}
