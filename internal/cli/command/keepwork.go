package command

import "fmt"

// KeepWork is the command that puts what the worktree of a loop holds on a branch of its own.
func KeepWork(worktree, loop string) string {
	return fmt.Sprintf("cd %s && git switch -c kept-%s && git add -A && git commit -m kept", ShellWord(worktree), loop)
}

// KeepCommit is the command that puts a commit that no ref contains on a branch of its own.
func KeepCommit(commit string) string { return fmt.Sprintf("git branch kept-%.7s %[1]s", commit) }

// DropWorktree is the command that deletes a worktree with a commit that no ref contains.
func DropWorktree(worktree string) string {
	return "git worktree remove --force " + ShellWord(worktree)
}

// DeleteRemote is the command that deletes a branch of the remote, whatever it holds.
func DeleteRemote(branch string) string { return "git push origin --delete " + ShellWord(branch) }
