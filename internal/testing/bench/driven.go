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
	if err := write(filepath.Join(repo, "ralph.yaml"), drivenConfig); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"add", "ralph.yaml"}, {"commit", "--quiet", "--message", "gates"}} {
		if _, err := must(ctx, b.gitIn(repo, args...)); err != nil {
			return nil, err
		}
	}
	d := &driving{bench: b, repo: repo}
	for _, c := range []proc.Command{d.init("tests", "bound", "--session", "mine"), d.init("never", "open", "--max", "1000")} {
		if _, err := must(ctx, c); err != nil {
			return nil, err
		}
	}
	got, err := b.turns(ctx, b.times(60, 20),
		timing(proc.Command{Argv: []string{b.hello}}), timing(proc.Command{Argv: []string{b.prototype, b.dir}, Env: b.env(b.state())}),
		d.begin, d.check, d.turn, timing(b.ralphIn(repo, "loop", "list", "--all")), timing(b.ralphIn(repo, "report")),
		d.hook("another"), d.hook("mine"))
	if err != nil {
		return nil, err
	}
	hello, with := "Go hello world", fmt.Sprintf(", %d loops stored", stored)
	prototype := "a program that runs `true` and makes the result durable"
	return []row{
		{what: "`ralph loop init`" + with, beside: hello, unit: "ms", floor: got[0], ours: got[2], target: ratioAtMost(4)},
		{
			what: "`ralph loop check`, the gate fails", beside: prototype, unit: "ms", floor: got[1], ours: got[4], target: ratioAtMost(5),
			note: "It looks at the tree through git, runs the gate under its shim, looks again, and makes the result durable.",
		},
		{
			what: "`ralph loop check`, the gate passes: the final verification", beside: prototype, unit: "ms", floor: got[1], ours: got[3],
			note: "After the check, the gate runs in a clean room on the base and on a commit of the work.",
		},
		{what: "`ralph loop list --all`" + with, beside: hello, unit: "ms", floor: got[0], ours: got[5], target: atMost(60, "ms")},
		{what: "`ralph report`" + with, beside: hello, unit: "ms", floor: got[0], ours: got[6], target: atMost(200, "ms")},
		{what: "`ralph hook stop`, a session without a loop", beside: hello, unit: "ms", floor: got[0], ours: got[7], target: ratioAtMost(2.5)},
		{what: "`ralph hook stop`, held to its gate", beside: hello, unit: "ms", floor: got[0], ours: got[8], target: ratioAtMost(7)},
	}, nil
}

// drivenConfig has a gate that passes and one that fails, and nothing that ends a loop
// before the benchmark does.
const drivenConfig = `version: 1
agent_loops: {timeout: 10h, max_iterations: 1000}
limits: {stall: 10h}
escalation: {same_error: 1000, regression: 1000, no_change: 1000, plateau: 1000}
gates:
  tests: {run: "true", parse: exit}
  never: {run: "false", parse: exit}
`

// driving uses a new loop in each round: a loop that has passed answers without
// work.
type driving struct {
	*bench
	repo string
	n    int
}

func (d *driving) init(gate, id string, more ...string) proc.Command {
	return d.ralphIn(d.repo, append([]string{"loop", "init", "--gate", gate, "--loop-id", id, "--force"}, more...)...)
}

func (d *driving) begin(ctx context.Context) (float64, error) {
	d.n++
	return timing(d.init("tests", fmt.Sprintf("round-%d", d.n)))(ctx)
}

// check checks the loop that begin made; the loop passes and ends.
func (d *driving) check(ctx context.Context) (float64, error) {
	return timing(d.ralphIn(d.repo, "loop", "check", fmt.Sprintf("round-%d", d.n)))(ctx)
}

// turn checks a loop whose gate fails, which is exit code 2: what an agent waits for
// before it goes on.
func (d *driving) turn(ctx context.Context) (float64, error) {
	return timed(ctx, d.ralphIn(d.repo, "loop", "check", "open"), 2)
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
