package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
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
	beside := "`git worktree add`"
	got, err := b.turns(ctx, b.times(15, 5), b.worktreeAdd(repo, 1), b.worktreeAdd(repo, 2), cold, warm)
	if err != nil {
		return nil, err
	}
	rows := []row{
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
	}
	sizes := []int{10_000, 50_000}
	if b.quick {
		sizes = []int{2000}
	}
	for _, n := range sizes {
		more, err := b.fromPool(ctx, n, n == sizes[len(sizes)-1])
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
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

// changed is the number of files that a commit changes before each start from the
// pool, in as many folders.
const changed = 100

// fromPool measures starts in a large repository whose pool has trees of the commit
// before, and, where crowd is set, of eight loops at once.
func (b *bench) fromPool(ctx context.Context, files int, crowd bool) ([]row, error) {
	repo, err := b.repository(ctx, fmt.Sprintf("pool-%d", files), files)
	if err != nil {
		return nil, err
	}
	other := filepath.Join(b.dir, "worktrees", fmt.Sprintf("checkout-%d", files))
	if _, err := must(ctx, b.gitIn(repo, "worktree", "add", "--quiet", "--detach", other)); err != nil {
		return nil, err
	}
	n := 0
	checkout := func(ctx context.Context) (float64, error) {
		n++
		if err := b.change(ctx, repo, n); err != nil {
			return 0, err
		}
		head, err := must(ctx, b.gitIn(repo, "rev-parse", "HEAD"))
		if err != nil {
			return 0, err
		}
		return timed(ctx, b.gitIn(other, "checkout", "--quiet", "--detach", strings.TrimSpace(string(head.Stdout))))
	}
	state := filepath.Join(b.dir, fmt.Sprintf("pool-state-%d", files))
	start := func(ctx context.Context) (float64, error) {
		return b.prepared(ctx, repo, state, fmt.Sprintf("one-%d", n))
	}
	got, err := b.turns(ctx, b.times(9, 3), checkout, start)
	if err != nil {
		return nil, err
	}
	rows := []row{{
		what:   fmt.Sprintf("start a loop on %d files, with trees of the commit before in the pool", files),
		beside: "`git checkout` of that commit's change", unit: "ms", floor: got[0], ours: got[1], target: ratioAtMost(1.5),
		note: fmt.Sprintf("The commit changes %d files in as many folders.", changed),
	}}
	if !crowd {
		return rows, nil
	}
	eight := func(ctx context.Context) (float64, error) {
		return b.allPrepared(ctx, repo, state, fmt.Sprintf("of-eight-%d", n), 8)
	}
	alone := func(ctx context.Context) (float64, error) {
		n++
		if err := b.change(ctx, repo, n); err != nil {
			return 0, err
		}
		return start(ctx)
	}
	if got, err = b.turns(ctx, b.times(5, 2), alone, eight); err != nil {
		return nil, err
	}
	return append(rows, row{
		what:   fmt.Sprintf("the last of eight at once on %d files", files),
		beside: "one alone", unit: "ms", floor: got[0], ours: got[1], target: ratioAtMost(3),
		note: "From the first record of the first loop until the trees of the last one stand ready, those of the last round in the pool.",
	}), nil
}

// change commits other words in a file of each of the first folders.
func (b *bench) change(ctx context.Context, repo string, n int) error {
	for i := range changed {
		dir := filepath.Join(repo, fmt.Sprintf("d%02d", i))
		if _, err := os.Stat(dir); err != nil {
			break
		}
		if err := write(filepath.Join(dir, "f00.txt"), fmt.Sprintf("change %d of folder %d\n", n, i)); err != nil {
			return err
		}
	}
	_, err := must(ctx, b.gitIn(repo, "commit", "--quiet", "--all", "--message", fmt.Sprintf("change %d", n)))
	return err
}

// allPrepared starts loops at once and returns the time from the first record of all
// until the last tree stands ready.
func (b *bench) allPrepared(ctx context.Context, repo, state, name string, many int) (float64, error) {
	began, ready, errs := make([]time.Time, many), make([]time.Time, many), make([]error, many)
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() { began[i], ready[i], errs[i] = b.preparation(ctx, repo, state, fmt.Sprintf("%s-%d", name, i)) })
	}
	all.Wait()
	return ms(slices.MaxFunc(ready, time.Time.Compare).Sub(slices.MinFunc(began, time.Time.Compare))), errors.Join(errs...)
}

// prepared runs a loop of one attempt, and reads from its record how long the
// preparation took.
func (b *bench) prepared(ctx context.Context, repo, state, id string) (float64, error) {
	began, ready, err := b.preparation(ctx, repo, state, id)
	return ms(ready.Sub(began)), err
}

// preparation runs a loop of one attempt and returns when its preparation began and
// when it was over.
func (b *bench) preparation(ctx context.Context, repo, state, id string) (began, ready time.Time, err error) {
	c := b.ralphIn(repo, "run", "nothing", "--loop-id", id, "--agent-cmd", "echo done >done", "--until", "test -f done", "--force")
	c.Env = b.env(state)
	if _, err := must(ctx, c); err != nil {
		return began, ready, err
	}
	events, err := eventsOf(ctx, repo, id)
	if err != nil {
		return began, ready, err
	}
	created, err := event(events, "created")
	if err != nil {
		return began, ready, err
	}
	prepared, err := event(events, "prepared")
	return created.At, prepared.At, err
}
