package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"ralph/internal/cli/command"
	"ralph/internal/git"
	"ralph/internal/proc"
)

// FirstCommit makes a repository of dir, whatever the person's git is
// configured to do.
func FirstCommit(ctx context.Context, dir string, env []string) error {
	program, err := proc.LookPath("git")
	if err != nil {
		return fmt.Errorf("%w: %w", git.ErrNoGit, err)
	}
	env = append(command.WithoutPrefix(env, "GIT_"), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=ralph demo", "GIT_AUTHOR_EMAIL=ralph@localhost",
		"GIT_COMMITTER_NAME=ralph demo", "GIT_COMMITTER_EMAIL=ralph@localhost")
	for _, args := range [][]string{
		{"init", "-q", "--template="},
		{"symbolic-ref", "HEAD", "refs/heads/main"},
		{"add", "-A"},
		{"commit", "-q", "-m", "Two functions with tests, and without content"},
	} {
		out, err := proc.Run(ctx, proc.Command{Argv: append([]string{program}, args...), Dir: dir, Env: env})
		if err == nil && out.Code != 0 {
			err = errors.New(strings.TrimSpace(string(out.Stderr)))
		}
		if err != nil {
			return fmt.Errorf("git %s for the demonstration: %w", args[0], err)
		}
	}
	return nil
}
