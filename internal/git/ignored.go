package git

import (
	"context"
	"strings"
)

// IgnoredFiles lists the untracked files of a worktree that git ignores; a folder with
// nothing else in it stands for its files and has no slash at its end.
func (r *Repo) IgnoredFiles(ctx context.Context, path string) ([]string, error) {
	p, err := r.linked(path)
	if err != nil {
		return nil, err
	}
	out, err := r.git(ctx, p, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	names := fields(out)
	for i, n := range names {
		names[i] = strings.TrimSuffix(n, "/")
	}
	return names, err
}

// CleanIgnored removes everything from a worktree that git does not track.
func (r *Repo) CleanIgnored(ctx context.Context, path string) error {
	p, err := r.linked(path)
	if err != nil {
		return err
	}
	return r.retryWritable(ctx, p, "clean", "-ffdx", "--quiet")
}
