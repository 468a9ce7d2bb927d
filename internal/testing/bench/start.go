package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// start measures the time from a loop's first record until its worktrees are
// ready.
func (b *bench) start(ctx context.Context) ([]row, error) {
	files := 5000
	if b.quick {
		files = 1000
	}
	repo, err := b.repository(ctx, "large", files)
	if err != nil {
		return nil, err
	}
	n, state := 0, ""
	cold := func(ctx context.Context) (float64, error) {
		n++
		// A new folder for worktrees: nothing is taken from a pool, and nothing
		// is deleted, which would slow down the next round.
		state = filepath.Join(b.dir, fmt.Sprintf("state-%d", n))
		return b.prepared(ctx, repo, state, fmt.Sprintf("cold-%d", n))
	}
	warm := func(ctx context.Context) (float64, error) {
		return b.prepared(ctx, repo, state, fmt.Sprintf("warm-%d", n))
	}
	got, err := b.turns(ctx, b.times(15, 5), b.worktreeAdd(repo, 1), b.worktreeAdd(repo, 2), cold, warm)
	if err != nil {
		return nil, err
	}
	beside := "`git worktree add`"
	return []row{
		{
			what: fmt.Sprintf("start a loop on %d files, first of its repository", files), beside: beside, unit: "ms",
			floor: got[0], ours: got[2], target: ratioAtMost(1.2),
			note: "From the loop's first record to its trees standing ready, in process. A loop has two trees, one for the agent and one for the gates, which are filled side by side; this floor makes one.",
		},
		{what: "the same, beside as many trees", beside: "`git worktree add` twice, one after the other", unit: "ms", floor: got[1], ours: got[2]},
		{
			what: "the same, with trees of an ended loop in the pool", beside: beside, unit: "ms",
			floor: got[0], ours: got[3], target: ratioAtMost(1.2),
		},
	}, nil
}

// worktreeAdd creates that many worktrees at new paths each time.
func (b *bench) worktreeAdd(repo string, many int) side {
	n := 0
	return func(ctx context.Context) (sum float64, err error) {
		for range many {
			n++
			name := fmt.Sprintf("floor-%d-%d", many, n)
			path := filepath.Join(b.dir, "worktrees", name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return 0, err
			}
			took, err := timed(ctx, b.gitIn(repo, "worktree", "add", "--quiet", "-b", name, path, "HEAD"))
			if err != nil {
				return 0, err
			}
			sum += took
		}
		return sum, nil
	}
}

// prepared runs a loop of one attempt, and reads from its record how long the
// preparation took.
func (b *bench) prepared(ctx context.Context, repo, state, id string) (float64, error) {
	c := b.ralphIn(repo, "run", "nothing", "--loop-id", id, "--agent-cmd", "echo done >done", "--until", "test -f done")
	c.Env = b.env(state)
	if _, err := must(ctx, c); err != nil {
		return 0, err
	}
	_, events, err := newest(ctx, repo)
	if err != nil {
		return 0, err
	}
	began, err := event(events, "created")
	if err != nil {
		return 0, err
	}
	ready, err := event(events, "prepared")
	return ms(ready.At.Sub(began.At)), err
}
