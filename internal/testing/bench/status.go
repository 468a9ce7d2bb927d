package main

import (
	"context"
	"fmt"

	"ralph/internal/proc"
	"ralph/internal/testing/manyloops"
)

// status measures the most frequent command.
func (b *bench) status(ctx context.Context) ([]row, error) {
	const few = 1
	many := 10_000
	if b.quick {
		many = 1000
	}
	one, err := b.ended(ctx, "few", few)
	if err != nil {
		return nil, err
	}
	lots, err := b.ended(ctx, "many", many)
	if err != nil {
		return nil, err
	}
	got, err := b.turns(ctx, b.times(60, 20),
		timing(proc.Command{Argv: []string{b.hello}}), timing(b.ralphIn(one, "status")), timing(b.ralphIn(lots, "status")))
	if err != nil {
		return nil, err
	}
	hello := "Go hello world"
	return []row{
		{what: "`ralph status`, 1 ended loop", beside: hello, unit: "ms", floor: got[0], ours: got[1], target: ratioAtMost(3)},
		{what: fmt.Sprintf("`ralph status`, %d ended loops", many), beside: hello, unit: "ms", floor: got[0], ours: got[2], target: ratioAtMost(3)},
		{
			what: "flat: the same two beside each other", beside: "1 ended loop", unit: "ms", floor: got[1], ours: got[2], target: ratioAtMost(1.2),
			note: "“Flat” is taken as at most a fifth more.",
		},
	}, nil
}

// ended makes a repository with n ended loops: one that ralph really ran and whose
// work was accepted, and copies of its record.
func (b *bench) ended(ctx context.Context, name string, n int) (string, error) {
	repo, err := b.repository(ctx, name, 10)
	if err != nil {
		return "", err
	}
	run := b.ralphIn(repo, "run", "say done", "--loop-id", "ended", "--agent-cmd", "echo done > done", "--until", "test -f done")
	for _, c := range []proc.Command{run, b.ralphIn(repo, "accept", "ended", "--yes")} {
		if _, err := must(ctx, c); err != nil {
			return "", err
		}
	}
	b.say("  %d ended loops", n)
	return repo, manyloops.Fill(ctx, memoryOf(repo), "ended", n-1)
}
