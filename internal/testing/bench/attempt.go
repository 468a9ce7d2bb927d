package main

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	got, err := b.turns(ctx, b.times(15, 7), t.each(t.floor), t.each(t.ours))
	if err != nil {
		return nil, err
	}
	floor, ours, err := t.compare(ctx)
	if err != nil {
		return nil, err
	}
	note := "Both run, in this order: " + strings.Join(floor, ", ") + "."
	if !slices.Equal(slices.Sorted(slices.Values(floor)), slices.Sorted(slices.Values(ours))) {
		note = fmt.Sprintf("**The two differ.** ralph runs: %s. The script runs: %s.", strings.Join(ours, ", "), strings.Join(floor, ", "))
	}
	return []row{{
		what: "one attempt, its agent and its gate doing nothing", unit: "ms", floor: got[0], ours: got[1], target: ratioAtMost(2),
		beside: "the same git commands and processes in a shell script with `sync -f`", note: note,
	}}, nil
}

// trying runs attempts in a repository of a hundred files.
type trying struct {
	*bench
	repo, script, agent, gate string
	// path is the folder of git.
	path string
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
		bench: b, repo: repo, script: filepath.Join(b.dir, "attempt.sh"), path: os.Getenv("PATH"),
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
	return timed(ctx, t.with(proc.Command{
		Argv: []string{"sh", t.script, t.repo, t.agent, t.gate, "by-hand", strconv.Itoa(n)}, Dir: t.repo, Env: t.env(t.state()),
	}))
}

// ours runs a loop that uses up its attempts, which is exit code 1.
func (t *trying) ours(ctx context.Context, n int) (float64, error) {
	t.loops++
	return timed(ctx, t.with(t.ralphIn(t.repo, "run", fmt.Sprintf("append a byte (%d)", t.loops), "--agent-cmd", "printf x >> d00/f00.txt",
		"--until", "exit 1", "--max-iterations", strconv.Itoa(n))), 1)
}

func (t *trying) with(c proc.Command) proc.Command {
	c.Env = append(c.Env, "PATH="+t.path)
	return c
}

// compare lists the git commands of one attempt on either side.
func (t *trying) compare(ctx context.Context) (floor, ours []string, err error) {
	git, err := proc.LookPath("git")
	if err != nil {
		return nil, nil, err
	}
	log, bin := filepath.Join(t.dir, "git.log"), filepath.Join(t.dir, "noting")
	if err := write(filepath.Join(bin, "git"), fmt.Sprintf(noting, log, git)); err != nil {
		return nil, nil, err
	}
	if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
		return nil, nil, err
	}
	t.path = bin + ":" + t.path
	if floor, err = commands(ctx, log, t.floor); err == nil {
		ours, err = commands(ctx, log, t.ours)
	}
	return floor, ours, err
}

// noting is a git that logs its commands.
const noting = `#!/bin/sh
for word; do
	case $word in
	-C) ;;
	-*|/*) ;;
	*) echo "$word" >> %[1]q; break ;;
	esac
done
exec %[2]q "$@"
`

// commands returns the commands that a run of two attempts has and a run of one
// has not.
func commands(ctx context.Context, log string, run func(context.Context, int) (float64, error)) ([]string, error) {
	var lists [2][]string
	for i := range lists {
		if err := os.WriteFile(log, nil, 0o600); err != nil {
			return nil, err
		}
		if _, err := run(ctx, i+1); err != nil {
			return nil, err
		}
		lists[i] = strings.Fields(oneLine(log))
	}
	return beyond(lists[1], lists[0]), nil
}

// beyond returns all without some: of equal words the last ones remain.
func beyond(all, some []string) []string {
	count := map[string]int{}
	for _, w := range some {
		count[w]++
	}
	left := maps.Clone(count)
	var out []string
	for _, w := range all {
		if left[w] > 0 {
			left[w]--
			continue
		}
		out = append(out, w)
	}
	return out
}
