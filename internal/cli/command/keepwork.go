package command

import "fmt"

// KeepWork is the command that puts what the worktree of a loop holds on a branch of its own.
func KeepWork(worktree, loop string) string {
	return fmt.Sprintf("cd %s && git switch -c kept-%s && git add -A && git commit -m kept", ShellWord(worktree), loop)
}
