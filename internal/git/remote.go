package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"ralph/internal/proc"
)

// Remote is a repository elsewhere with which commits are exchanged. Only these calls
// reach the network: they use the user's own configuration, keys and credentials, but run
// no hooks and ask nothing.
type Remote struct {
	Repo *Repo
	URL  string
	// Env is the environment of the user.
	Env []string
}

// ErrRemote is returned where git could not exchange commits with a remote: it is away, or
// refuses.
type ErrRemote struct {
	URL string
	Err error
}

func (e ErrRemote) Error() string { return fmt.Sprintf("reach %s: %v", e.URL, e.Err) }
func (e ErrRemote) Unwrap() error { return e.Err }

// Unreached names it, and tells why.
func (e ErrRemote) Unreached() (string, error) { return "the remote", e.Err }

// ErrShallowRemote is returned where git takes nothing from a remote because its history is
// cut off.
var ErrShallowRemote = errors.New("the remote is shallow: give it its whole history (git fetch --unshallow)")

// Tip returns the commit of a full ref name there; "" when it does not exist.
func (m Remote) Tip(ctx context.Context, ref string) (string, error) {
	out, err := m.call(ctx, "ls-remote", "--", m.URL, ref)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) {
		if id, name, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == ref {
			return id, nil
		}
	}
	return "", nil
}

// Fetch gets a ref, or HEAD, with all that it needs, and keeps it as the ref own of this
// repository, which is ralph's. It returns the commit.
func (m Remote) Fetch(ctx context.Context, ref, own string) (string, error) {
	if ref != "HEAD" && !validRef(ref) || !validRef(own) || !strings.HasPrefix(own, "refs/ralph/") {
		return "", ErrBadRefName{own}
	}
	_, err := m.call(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--recurse-submodules=no", "--", m.URL, "+"+ref+":"+own)
	if err != nil {
		return "", err
	}
	if err := m.Repo.Sync(); err != nil {
		return "", err
	}
	got, err := m.Repo.RefCommit(ctx, own)
	if err == nil && got == "" { // git warns, and ends with 0
		err = fmt.Errorf("fetch %s from %s: %w", ref, m.URL, ErrShallowRemote)
	}
	return got, err
}

// FetchBranches gets all branches with all that they need, and keeps them below the ref own of
// this repository, which is ralph's and replaced. It returns them, sorted by name.
func (m Remote) FetchBranches(ctx context.Context, own string) ([]Branch, error) {
	if !validRef(own) || !strings.HasPrefix(own, ownRefs) {
		return nil, ErrBadRefName{own}
	}
	if err := m.Repo.DropOwnRefs(ctx, own); err != nil {
		return nil, err
	}
	_, err := m.call(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--recurse-submodules=no", "--", m.URL, "+"+heads+"*:"+own+"/*")
	if err != nil {
		return nil, err
	}
	return m.Repo.branchesBelow(ctx, own+"/")
}

// Push moves a ref there from old to commit; an empty old means that it must not exist,
// and an empty commit deletes it.
// Where it is at another commit the error is ErrRefMoved; where it is at this one already,
// nothing is to be done.
func (m Remote) Push(ctx context.Context, ref, commit, old string) error {
	if !validRef(ref) {
		return ErrBadRefName{ref}
	}
	_, refused := m.call(ctx, "push", "--quiet", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no",
		"--force-with-lease="+ref+":"+old, "--", m.URL, commit+":"+ref)
	if refused == nil || ctx.Err() != nil {
		return refused
	}
	have, err := m.Tip(ctx, ref)
	switch {
	case err != nil:
		return refused
	case have == commit:
		return nil
	case have != old:
		return ErrRefMoved{ref, old, have}
	}
	return refused
}

// transport are variables of the user that decide how git reaches a remote.
var transport = []string{"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_NO_VERIFY", "GIT_CONFIG_GLOBAL"}

// RemoteURL is the address of a remote that the repository names; "" is none.
func (r *Repo) RemoteURL(ctx context.Context, name string) (string, error) {
	url, err := r.line(ctx, r.shared(), "config", "--get", "remote."+name+".url")
	if exitCode(err) == 1 {
		return "", nil
	}
	return url, err
}

// InitBare makes an empty bare repository, unless there is one.
func InitBare(ctx context.Context, dir string, environ []string) error {
	program, err := proc.LookPath("git")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoGit, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	env := append(inherited(environ), "LC_ALL=C", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := proc.Run(ctx, proc.Command{Argv: []string{program, "init", "--quiet", "--bare", "--template=", "."}, Dir: dir, Env: env})
	if err == nil && out.Code != 0 {
		err = &CommandError{Args: []string{"init"}, Code: out.Code, Stderr: tail(out.Stderr)}
	}
	return err
}

func (m Remote) call(ctx context.Context, args ...string) (string, error) {
	env := slices.DeleteFunc(slices.Clone(m.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "GIT_") && !slices.Contains(transport, name)
	})
	p := m.Repo.shared()
	env = slices.Concat(env, []string{"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_DIR=" + p.gitDir}, asEnv(map[string]string{
		"core.hooksPath": "/dev/null", "core.fsmonitor": "false", "gc.auto": "0", "maintenance.auto": "false", "push.gpgSign": "false",
	}))
	out, err := m.Repo.once(ctx, call{place: p, args: args}, env)
	if err != nil {
		return "", ErrRemote{m.URL, err}
	}
	return string(out.Stdout), nil
}
