//go:build server

package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/temporal/store"
)

// ownerWord makes the test binary a process that owns a run: it creates it, commits
// two events, and then commits one more for each line that it reads. It prints the
// result of each commit.
const ownerWord = "own-a-run"

func ownerMain(args []string) int {
	if err := own(context.Background(), args[0], args[1], args[2], args[3]); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func own(ctx context.Context, address, namespace, project, id string) error {
	c, err := store.Dial(ctx, address, namespace, os.Getenv, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := store.Open(c, store.Loops(), store.Options{Project: project, Heartbeat: silence})
	if err != nil {
		return err
	}
	defer s.Close()
	l, err := s.Create(ctx, first(id), nil)
	if err != nil {
		return err
	}
	for range 2 {
		if err := steer(ctx, l); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println("result:", steer(ctx, l))
	}
	return nil
}

// silence is after how long an owner process counts as dead. A living one on a slow
// machine may count as dead, too; no test relies on the contrary.
const silence = 3 * time.Second

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// first is the state of a new loop.
func first(id string) loop.State {
	gate := loop.Gate{Name: "tests", Kind: loop.KindCommand, Level: loop.Hard, Run: "true"}
	return loop.New(loop.Spec{ID: id, Task: loop.Task{Text: "do it"}, Agent: loop.Agent{Name: "a", Use: "script"}, Gates: []loop.Gate{gate}, Limits: loop.DefaultLimits()}, noon)
}

// steer commits one event.
func steer(ctx context.Context, l engine.Lease[loop.State, loop.Event], took ...int64) error {
	e := loop.Steered{Stamp: loop.Stamp{At: noon}, Text: "more"}
	next, err := loop.Apply(l.State(), e)
	if err != nil {
		return err
	}
	return l.Commit(ctx, next, []loop.Event{e}, took...)
}
