package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// firstLength is how many digits of the first commit are part of a project's name.
const firstLength = 12

// teamName is the name of a project on the server of a team: that of the remote's
// repository, and the first commit of its history. Machines whose addresses of the remote
// differ agree about it, and two repositories of one name do not meet.
func teamName(remote, first string) (string, error) {
	name := fmt.Sprintf("%s-%.*s", remoteName(remote), firstLength, first)
	if err := loop.ValidID(name); err != nil {
		return "", exit.UsageError("rename the repository at the remote", "the name of the remote repository cannot be that of a project: %v", err)
	}
	return name, nil
}

// remoteName is the name of a remote's repository.
func remoteName(address string) string {
	name := strings.TrimSuffix(path.Base(strings.TrimRight(filepath.ToSlash(address), "/")), ".git")
	if _, after, found := strings.Cut(name, ":"); found { // host:repository
		name = after
	}
	return strings.ToLower(name)
}

// firstOfClone is the first commit of a clone: on the branch that the remote has checked
// out, where the clone knows it, else on its own. It is kept in a file, since a long
// history takes long to walk.
func firstOfClone(ctx context.Context, p *Project) (string, error) {
	file := filepath.Join(p.Place.CommonDir, "ralph", "team", "first-commit")
	if kept, err := os.ReadFile(file); err == nil && len(kept) > firstLength {
		return strings.TrimSpace(string(kept)), nil
	}
	tip, err := p.Repo.ResolveCommit(ctx, "refs/remotes/origin/HEAD")
	if _, unknown := errors.AsType[git.ErrUnknownRevision](err); unknown {
		head, failed := p.Repo.Head(ctx)
		tip, err = head.Commit, failed
		if failed == nil && tip == "" {
			return "", exit.UsageError("commit something, and push it", "the repository has no commit yet")
		}
	}
	if err != nil {
		return "", err
	}
	first, err := p.Repo.FirstCommit(ctx, tip)
	if errors.Is(err, git.ErrShallow) {
		return "", exit.UsageError("git fetch --unshallow", "--engine: %v", err)
	}
	if err != nil {
		return "", err
	}
	return first, durable.Write(file, []byte(first+"\n"))
}

// remoteHead is where a worker keeps the branch that its remote has checked out.
const remoteHead = "refs/ralph/remote-head"

// firstOfRemote is the first commit of the branch that the remote of a worker has checked
// out, which is fetched for it.
func (a *Opener) firstOfRemote(ctx context.Context, p *Project) (string, error) {
	remote := git.Remote{Repo: p.Repo, URL: p.remote, Env: a.Env}
	tip, err := remote.Tip(ctx, "HEAD")
	if err != nil {
		return "", &exit.Error{Code: exit.Missing, Err: err, Hint: "check --repo, and that git reaches it from here: git ls-remote " + p.remote}
	}
	if tip == "" {
		return "", &exit.Error{
			Code: exit.Missing, Err: fmt.Errorf("%s has no commit on its default branch", p.remote),
			Hint: "push one, or choose another branch there: git symbolic-ref HEAD refs/heads/main",
		}
	}
	if tip, err = remote.Fetch(ctx, "HEAD", remoteHead); err != nil {
		return "", &exit.Error{Code: exit.Missing, Err: err, Hint: "check that git can fetch it: git fetch " + p.remote}
	}
	return p.Repo.FirstCommit(ctx, tip)
}
