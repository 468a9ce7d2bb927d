package team

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/proc"
	"ralph/internal/testing/runnable"
)

type publication = stored.Publication[loop.State, loop.Event]

// place is a clone with a remote.
func place(t *testing.T, remote string) (tr Travel, commit func(text string) string) {
	t.Helper()
	dir := t.TempDir()
	env := append(os.Environ(), "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org", "GIT_CONFIG_NOSYSTEM=1")
	run := func(args ...string) {
		t.Helper()
		program, err := proc.LookPath("git")
		ok(t, err)
		out, err := proc.Run(t.Context(), proc.Command{Argv: append([]string{program}, args...), Dir: dir, Env: env})
		if err != nil || out.Code != 0 {
			t.Fatalf("git %v: %v\n%s", args, err, out.Stderr)
		}
	}
	run("init", "-q")
	run("commit", "-q", "--allow-empty", "-m", "base", "--date", "2026-11-20T12:00:00Z")
	repo, err := git.OpenEnv(t.Context(), dir, env)
	ok(t, err)
	tr = Travel{Remote: git.Remote{Repo: repo, URL: remote, Env: env}, Files: &Files{}, Warn: func(err error) { t.Log(err) }}
	return tr, func(text string) string {
		run("add", "-A")
		run("commit", "-q", "--allow-empty", "-m", text)
		head, err := repo.Head(t.Context())
		ok(t, err)
		return head.Commit
	}
}

func at(base, commit string) loop.State {
	s := loop.State{}
	s.ID, s.Branch, s.Base, s.Commit = "a", "ralph/a", base, commit
	return s
}

// TestPublishIsFenced: an owner replaces what another one pushed without recording it, and
// one that lost its lease pushes nothing.
func TestPublishIsFenced(t *testing.T) {
	t.Parallel()
	remote := filepath.Join(t.TempDir(), "remote.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	one, commit := place(t, remote)
	ctx, ref := t.Context(), Ref(at("", ""))
	base, stray, c1, c2 := commit("b"), commit("pushed, and not recorded"), commit("1"), commit("2")
	held, await := func(context.Context) error { return nil }, func(string) {}
	ok(t, one.Remote.Push(ctx, ref, base, ""))
	ok(t, one.Remote.Push(ctx, ref, stray, base))
	tip := func() string {
		t.Helper()
		got, err := one.Remote.Tip(ctx, ref)
		ok(t, err)
		return got
	}
	ok(t, one.Publish(ctx, publication{Before: at(base, ""), Next: at(base, c1), Owned: held, Await: await}))
	if tip() != c1 {
		t.Errorf("the remote is at %s, want %s", tip(), c1)
	}
	lost := func(context.Context) error { return engine.ErrFenced }
	err := one.Publish(ctx, publication{Before: at(base, c1), Next: at(base, c2), Owned: lost, Await: await})
	if !errors.Is(err, engine.ErrFenced) || tip() != c1 {
		t.Errorf("without the lease: %v, the remote is at %s", err, tip())
	}
	kept := []loop.Event{loop.Kept{Ref: "wip/x", Commit: c2}}
	ok(t, one.Publish(ctx, publication{Before: at(base, c1), Next: at(base, c1), Events: kept, Owned: held, Await: await}))
	if tip() != c2 {
		t.Errorf("failed work: the remote is at %s, want %s", tip(), c2)
	}
}

// TestTryPush: a branch is pushed and deleted, also where an earlier try left it; a remote
// that refuses is reported.
func TestTryPush(t *testing.T) {
	t.Parallel()
	remote := filepath.Join(t.TempDir(), "remote.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	one, commit := place(t, remote)
	ctx, c, left := t.Context(), commit("tip"), commit("of an earlier try")
	ok(t, one.Remote.Push(ctx, "refs/heads/ralph/_worker-1", left, ""))
	for _, branch := range []string{"ralph/_worker-1", "ralph/_worker-2"} {
		ok(t, one.TryPush(ctx, branch, c))
		if tip, err := one.Remote.Tip(ctx, "refs/heads/"+branch); tip != "" || err != nil {
			t.Errorf("%s is left at %q, %v", branch, tip, err)
		}
	}
	hook := filepath.Join(remote, "hooks", "pre-receive")
	ok(t, os.MkdirAll(filepath.Dir(hook), 0o700))
	ok(t, runnable.Write(hook, "#!/bin/sh\nexit 1\n"))
	if err := one.TryPush(ctx, "ralph/_worker-3", c); err == nil {
		t.Error("a refused push was taken for a push")
	}
}

// TestFetchWork: the recorded commit arrives in another clone; a branch that does not hold
// it is an error.
func TestFetchWork(t *testing.T) {
	t.Parallel()
	remote := filepath.Join(t.TempDir(), "remote.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	one, commit := place(t, remote)
	two, own := place(t, remote)
	c1 := commit("1")
	ok(t, one.Remote.Push(t.Context(), Ref(at("", "")), c1, ""))
	ok(t, two.FetchWork(t.Context(), at(c1, c1)))
	if got, err := two.Remote.Repo.ResolveCommit(t.Context(), c1); err != nil || got != c1 {
		t.Errorf("%q, %v", got, err)
	}
	c2 := commit("never pushed")
	if err := two.FetchWork(t.Context(), at(c1, c2)); err == nil {
		t.Error("a commit that is nowhere was fetched")
	}
	ok(t, two.FetchWork(t.Context(), at(c1, own("here"))))
	none := at(c1, c2)
	none.Branch = "ralph/none"
	if err := two.FetchWork(t.Context(), none); !errors.Is(err, ErrNotAtRemote) {
		t.Errorf("a branch that is nowhere: %v", err)
	}
	two.Remote.URL += ".away"
	err := two.FetchWork(t.Context(), none)
	if _, is := errors.AsType[git.ErrRemote](err); !is || errors.Is(err, ErrNotAtRemote) {
		t.Errorf("a remote that is away: %v", err)
	}
}

// TestUsable: a remote without the branch of a loop, or with another one of that name, is
// not where the loop works, also where the commit is here already.
func TestUsable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	remote, fork := filepath.Join(dir, "remote.git"), filepath.Join(dir, "fork.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	ok(t, git.InitBare(t.Context(), fork, os.Environ()))
	one, commit := place(t, remote)
	two, _ := place(t, remote)
	base, other := commit("base"), commit("other")
	loop := at(base, "")
	if err := one.Usable(t.Context(), loop); !errors.Is(err, ErrNotAtRemote) {
		t.Errorf("before its branch is there: %v", err)
	}
	ok(t, one.Remote.Push(t.Context(), Ref(loop), base, ""))
	ok(t, one.Usable(t.Context(), loop))
	ok(t, two.Usable(t.Context(), loop))
	one.Remote.URL = fork
	if err := one.Usable(t.Context(), loop); !errors.Is(err, ErrNotAtRemote) {
		t.Errorf("a fork: %v", err)
	}
	if err := two.Usable(t.Context(), at(base, other)); !errors.Is(err, ErrNotAtRemote) {
		t.Errorf("a branch without the recorded commit: %v", err)
	}
	one.Remote.URL = filepath.Join(dir, "nothing.git")
	if err := one.Usable(t.Context(), loop); err == nil || errors.Is(err, ErrNotAtRemote) {
		t.Errorf("no remote: %v", err)
	}
}

// TestAnew: what landed is set aside once, however often the request is repeated, and a plan
// whose request was cut off there still finds its work.
func TestAnew(t *testing.T) {
	t.Parallel()
	remote := filepath.Join(t.TempDir(), "remote.git")
	ok(t, git.InitBare(t.Context(), remote, os.Environ()))
	one, commit := place(t, remote)
	two, _ := place(t, remote)
	ctx := t.Context()
	base, landed := commit("base"), commit("landed")
	now := commit("the base of the plan that begins anew")
	before := plan.State{ID: "p", Branch: "ralph/p/_landed", Base: base, Tip: landed}
	first := plan.State{ID: "p", Branch: "ralph/p/_landed", Base: now, Tip: now}
	if aside, err := one.anew(ctx, first, ""); aside != "" || err != nil { // the remote has nothing
		t.Errorf("%q, %v", aside, err)
	}
	ok(t, one.Remote.Push(ctx, planRef(first), landed, now))
	for range 2 {
		aside, err := one.anew(ctx, first, before.Tip)
		ok(t, err)
		kept, err := one.Remote.Tip(ctx, "refs/heads/"+aside)
		ok(t, err)
		tip, err := one.Remote.Tip(ctx, planRef(first))
		if err != nil || aside != "ralph/p/_landed-"+landed[:12] || kept != landed || tip != now {
			t.Errorf("%s is at %.10s, the branch at %.10s, %v", aside, kept, tip, err)
		}
	}
	for _, s := range []plan.State{before, first} {
		ok(t, two.UsablePlan(ctx, s))
		if _, err := two.Remote.Repo.ResolveCommit(ctx, s.Tip); err != nil {
			t.Errorf("%.10s: %v", s.Tip, err)
		}
	}
	before.Tip = strings.Repeat("0", 40)
	if err := two.UsablePlan(ctx, before); !errors.Is(err, ErrNotAtRemote) {
		t.Errorf("work that nothing has: %v", err)
	}
}
