package git

import (
	"context"
	"fmt"
	"time"
)

// identity is the environment that names author and committer: the user's own
// where one is configured, else ralph's, so that a machine without one works.
func (r *Repo) identity(ctx context.Context, at time.Time) ([]string, error) {
	d, err := r.drivers(ctx, r.gitDir)
	if err != nil {
		return nil, err
	}
	name, email := d.name, d.email
	if name == "" || email == "" {
		name, email = "ralph", "ralph@localhost"
	}
	env := []string{
		"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + email,
		"GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + email,
	}
	if !at.IsZero() {
		date := fmt.Sprintf("%d +0000", at.Unix())
		env = append(env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	}
	return env, nil
}

// commitTree writes a commit object. It moves no ref and runs no hook.
func (r *Repo) commitTree(ctx context.Context, tree, message string, at time.Time, parents ...string) (string, error) {
	env, err := r.identity(ctx, at)
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", tree}
	for _, p := range parents {
		if p != "" {
			args = append(args, "-p", p)
		}
	}
	out, err := r.call(ctx, call{place: r.shared(), args: args, stdin: []byte(message), env: env})
	if err != nil {
		return "", fmt.Errorf("write commit: %w", err)
	}
	commit := string(out[:max(len(out)-1, 0)])
	r.remember(commit, made{tree, parents})
	return commit, nil
}
