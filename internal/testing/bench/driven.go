package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/proc"
)

// driven measures how long an agent waits at every turn of a loop that it
// drives: for init, for the check, and for the hook at the end of its turn. The
// store holds as many ended loops as years of work leave.
func (b *bench) driven(ctx context.Context) ([]row, error) {
	stored := 10_000
	if b.quick {
		stored = 1000
	}
	repo, err := b.ended(ctx, "driven", stored)
	if err != nil {
		return nil, err
	}
	if err := write(filepath.Join(repo, "ralph.yaml"), "version: 1\nagent_loops: {timeout: 10h}\nlimits: {stall: 10h}\ngates:\n  tests: {run: \"true\", parse: exit}\n"); err != nil {
		return nil, err
	}
	d := &driving{bench: b, repo: repo}
	if _, err := must(ctx, d.init("bound", "--session", "mine")); err != nil {
		return nil, err
	}
	got, err := b.turns(ctx, b.times(60, 20),
		timing(proc.Command{Argv: []string{b.hello}}), d.begin, d.check,
		timing(b.ralphIn(repo, "status", "--all")), d.hook("somebody else's"), d.hook("mine"))
	if err != nil {
		return nil, err
	}
	hello, with := "Go hello world", fmt.Sprintf(", %d loops stored", stored)
	return []row{
		{what: "`ralph loop init`" + with, beside: hello, unit: "ms", floor: got[0], ours: got[1], target: atMost(15, "ms")},
		{
			what: "`ralph loop check`, gate `true`, shim included", beside: hello, unit: "ms", floor: got[0], ours: got[2], target: atMost(20, "ms"),
			note: "It looks at the tree through git, runs the gate under its shim, looks again, and makes the result durable.",
		},
		{what: "`ralph status --all`" + with, beside: hello, unit: "ms", floor: got[0], ours: got[3], target: atMost(15, "ms")},
		{what: "`ralph hook stop`, a session without a loop", beside: hello, unit: "ms", floor: got[0], ours: got[4], target: atMost(10, "ms")},
		{what: "`ralph hook stop`, held to its gate", beside: hello, unit: "ms", floor: got[0], ours: got[5], target: atMost(20, "ms")},
	}, nil
}

// driving uses a new loop in each round: a loop that has passed answers without
// work.
type driving struct {
	*bench
	repo string
	n    int
}

func (d *driving) init(id string, more ...string) proc.Command {
	return d.ralphIn(d.repo, append([]string{"loop", "init", "--gate", "tests", "--loop-id", id, "--force"}, more...)...)
}

func (d *driving) begin(ctx context.Context) (float64, error) {
	d.n++
	return timing(d.init(fmt.Sprintf("round-%d", d.n)))(ctx)
}

// check checks the loop that begin made; the loop passes and ends.
func (d *driving) check(ctx context.Context) (float64, error) {
	return timing(d.ralphIn(d.repo, "loop", "check", fmt.Sprintf("round-%d", d.n)))(ctx)
}

func (d *driving) hook(session string) side {
	return func(ctx context.Context) (float64, error) {
		c := d.ralphIn(d.repo, "hook", "stop")
		c.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"stop_hook_active":true}`, session))
		began := time.Now()
		_, err := must(ctx, c)
		return ms(time.Since(began)), err
	}
}
