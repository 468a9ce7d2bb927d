package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ralph/internal/proc"
)

// startup measures the start of every command, and of every child under its
// shim.
func (b *bench) startup(ctx context.Context) ([]row, error) {
	n := b.times(60, 20)
	version, err := b.turns(ctx, n,
		timing(proc.Command{Argv: []string{b.hello}}), timing(b.ralphIn(b.dir, "version")))
	if err != nil {
		return nil, err
	}
	child, err := b.turns(ctx, n,
		timing(proc.Command{Argv: []string{"/bin/true"}, Env: b.env(b.state())}), b.supervised())
	if err != nil {
		return nil, err
	}
	return []row{
		{what: "`ralph version`", beside: "Go hello world", unit: "ms", floor: version[0], ours: version[1], target: ratioAtMost(2)},
		{
			what: "a child under its shim", beside: "the same child (`true`) alone", unit: "ms", floor: child[0], ours: child[1],
			note: "The shim is a process more, which starts as the hello world does; it records the run and how it ended.",
		},
	}, nil
}

// supervised runs `true` as agents and gates are run.
func (b *bench) supervised() side {
	n := 0
	return func(ctx context.Context) (float64, error) {
		n++
		began := time.Now()
		child, err := proc.Start(ctx, proc.Spec{
			RunDir: filepath.Join(b.dir, "shims", fmt.Sprint(os.Getpid(), "-", n)), Run: fmt.Sprintf("bench-%d", n),
			Argv: []string{"/bin/true"}, Dir: b.dir, Env: b.env(b.state()),
		})
		if err != nil {
			return 0, err
		}
		exit, err := child.Wait()
		if err == nil && !exit.OK() {
			err = fmt.Errorf("the child of the shim did not end well: %s", exit.Reason)
		}
		return ms(time.Since(began)), err
	}
}
