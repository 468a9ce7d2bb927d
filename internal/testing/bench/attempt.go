package main

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"ralph/internal/proc"
)

//go:embed attempt.sh
var floorScript string

// attempt measures the cost of one attempt beside the agent's and the gate's
// own time: the difference between a loop of six attempts and a loop of one,
// divided by five.
func (b *bench) attempt(ctx context.Context) ([]row, error) {
	t, err := b.trying(ctx)
	if err != nil {
		return nil, err
	}
	got, err := b.turns(ctx, b.times(15, 7), t.each(t.floor), t.each(t.ours(unheld)), t.each(t.ours("auto")))
	if err != nil {
		return nil, err
	}
	script := "the git commands and processes of an attempt in a shell script with `sync -f`"
	rows := []row{
		{what: "one attempt, its agent and its gate doing nothing, no sandbox", beside: script, unit: "ms", floor: got[0], ours: got[1], target: ratioAtMost(1.5)},
		{what: "the same with the default settings: agent and gate in a sandbox", beside: "without a sandbox", unit: "ms", floor: got[1], ours: got[2], target: ratioAtMost(1.3)},
		{what: "the same", beside: script, unit: "ms", floor: got[0], ours: got[2]},
	}
	if b.quick {
		return rows, nil
	}
	early, late, err := t.long(ctx)
	return append(rows, row{
		what: fmt.Sprintf("attempts %d to %d of one loop", longest-compared+1, longest), beside: fmt.Sprintf("attempts %d to %d of it", compared+1, 2*compared), unit: "ms",
		floor: early, ours: late, target: ratioAtMost(1.05),
	}), err
}

// The long loop, and how many of its first and last attempts are compared.
const (
	longest  = 1000
	compared = 25
)

// long returns the times from one attempt to the next of a long loop: of some of the
// first, without the very first, and of the last.
func (t *trying) long(ctx context.Context) (early, late series, err error) {
	if _, err := t.ours(unheld)(ctx, longest); err != nil {
		return nil, nil, err
	}
	_, events, err := newest(ctx, t.repo)
	var all series
	var last time.Time
	for _, e := range events {
		if e.Name != "attempt_began" {
			continue
		}
		if !last.IsZero() {
			all = append(all, ms(e.At.Sub(last)))
		}
		last = e.At
	}
	if err == nil && len(all) != longest-1 {
		err = fmt.Errorf("the long loop has %d attempts", len(all)+1)
	}
	if err != nil {
		return nil, nil, err
	}
	return all[compared : 2*compared], all[len(all)-compared:], nil
}

// trying runs attempts in a repository of a hundred files.
type trying struct {
	*bench
	repo, script, agent, gate string
	// loops counts the loops: each needs another task.
	loops int
}

func (b *bench) trying(ctx context.Context) (*trying, error) {
	repo, err := b.repository(ctx, "attempts", 100)
	if err != nil {
		return nil, err
	}
	trees := filepath.Join(b.dir, "by-hand")
	t := &trying{
		bench: b, repo: repo, script: filepath.Join(b.dir, "attempt.sh"),
		agent: filepath.Join(trees, "agent"), gate: filepath.Join(trees, "gate"),
	}
	if err := write(t.script, floorScript); err != nil {
		return nil, err
	}
	if _, err := must(ctx, b.gitIn(repo, "worktree", "add", "--quiet", "-b", "by-hand", t.agent)); err != nil {
		return nil, err
	}
	_, err = must(ctx, b.gitIn(repo, "worktree", "add", "--quiet", "--detach", t.gate))
	return t, err
}

// each returns the time of one attempt of several.
func (t *trying) each(run func(context.Context, int) (float64, error)) side {
	return func(ctx context.Context) (float64, error) {
		const many = 6
		one, err := run(ctx, 1)
		if err != nil {
			return 0, err
		}
		all, err := run(ctx, many)
		return (all - one) / (many - 1), err
	}
}

func (t *trying) floor(ctx context.Context, n int) (float64, error) {
	return timed(ctx, proc.Command{
		Argv: []string{"sh", t.script, t.repo, t.agent, t.gate, "by-hand", strconv.Itoa(n)}, Dir: t.repo, Env: t.env(t.state()),
	})
}

// ours runs a loop that uses up its attempts, which is exit code 1.
func (t *trying) ours(sandbox string) func(context.Context, int) (float64, error) {
	return func(ctx context.Context, n int) (float64, error) {
		t.loops++
		return timed(ctx, t.ralphIn(t.repo, "run", fmt.Sprintf("append a byte (%d)", t.loops), "--agent-cmd", "printf x >> d00/f00.txt",
			"--until", "exit 1", "--max-iterations", strconv.Itoa(n), "--sandbox", sandbox), 1)
	}
}
