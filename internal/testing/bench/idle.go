package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

const longLimit = "attempts:\n  - - limit: {reset: 2h}\n"

// idle measures the cost of a loop that waits for a usage limit. It and its
// floor are measured in the same minutes.
func (b *bench) idle(ctx context.Context) ([]row, error) {
	span := time.Minute
	if b.quick {
		span = 20 * time.Second
	}
	repo, err := b.repository(ctx, "idle", 10)
	if err != nil {
		return nil, err
	}
	scenario := filepath.Join(b.dir, "limit.yaml")
	if err := write(scenario, longLimit); err != nil {
		return nil, err
	}
	sleeper := b.background(ctx, "sleep", proc.Command{Argv: []string{b.self, "role-sleep", "2h"}, Env: b.env(b.state())})
	defer sleeper.end()
	loop := b.background(ctx, "idle", b.ralphIn(repo, "run", "wait", "--agent", "script:"+scenario, "--until", "false"))
	defer loop.end()
	if err := loop.until(ctx, func() bool { return waits(ctx, repo) }); err != nil {
		return nil, err
	}
	r := row{
		what: "a loop that waits for a limit: CPU in a minute", beside: "a Go program that sleeps", unit: "ms", target: atMost(10, "ms"),
		note: fmt.Sprintf("Measured over %s, by the run time that the kernel keeps of every thread.", span),
	}
	for i := range b.times(3, 1) {
		before := [2]time.Duration{sleeper.cpu(), loop.cpu()}
		if err := pause(ctx, span); err != nil {
			return nil, err
		}
		minutes := span.Minutes()
		r.floor = append(r.floor, ms(sleeper.cpu()-before[0])/minutes)
		r.ours = append(r.ours, ms(loop.cpu()-before[1])/minutes)
		b.say("  %d  %s  %s", i+1, figures(r.floor[i]), figures(r.ours[i]))
	}
	return []row{r}, nil
}

// waits reports whether the repository's loop is waiting.
func waits(ctx context.Context, repo string) bool {
	st, _, err := newest(ctx, repo)
	return err == nil && st.Status == loop.Waiting
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
