package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ralph/internal/proc"
)

// output measures an agent that writes without end.
func (b *bench) output(ctx context.Context) ([]row, error) {
	size := int64(10_000_000_000)
	if b.quick {
		size = 1_000_000_000
	}
	repo, err := b.repository(ctx, "loud", 10)
	if err != nil {
		return nil, err
	}
	flood := fmt.Sprintf("%s role-flood %d", b.self, size)
	var peaks series
	ours := func(ctx context.Context) (float64, error) {
		rate, peak, err := b.loud(ctx, repo, flood, size)
		peaks = append(peaks, peak)
		return rate, err
	}
	floor := func(ctx context.Context) (float64, error) {
		took, err := timed(ctx, proc.Command{
			Argv: []string{"sh", "-c", flood + " | " + b.self + " role-drain"}, Env: b.env(b.state()),
		})
		return float64(size) / 1e6 / (took / 1000), err
	}
	got, err := b.turns(ctx, b.times(3, 2), floor, ours)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%d GB of an agent's output", size/1e9)
	return []row{
		{what: text, beside: "the same through a pipe into io.Copy", unit: "MB/s", floor: got[0], ours: got[1], target: atLeast(300, "MB/s")},
		{
			what: "resident memory at its peak meanwhile", beside: "", unit: "MB", ours: peaks[1:], target: atMost(60, "MB"),
			note: "ralph and the shim of its child together, the highest of each.",
		},
	}, nil
}

// loud runs one attempt of an agent. It returns its MB/s and the peak of
// ralph's resident memory in MB.
func (b *bench) loud(ctx context.Context, repo, agent string, size int64) (rate, peak float64, err error) {
	c := b.ralphIn(repo, "run", "be loud", "--agent-cmd", agent, "--until", "false", "--max-iterations", "1", "--fresh")
	pid := filepath.Join(b.dir, "pid")
	c = withPID(c, pid)
	stop, watched := make(chan struct{}), make(chan float64, 1)
	go func() { watched <- peakOf(pid, b.ralph, stop) }()
	out, err := proc.Run(ctx, c)
	close(stop)
	peak = <-watched
	if err != nil {
		return 0, 0, err
	}
	st, _, err := newest(ctx, repo)
	if err != nil {
		return 0, 0, err
	}
	last := st.Last()
	if last == nil || last.Agent.OutputBytes != size {
		return 0, 0, fmt.Errorf("the loud loop did not get all output: %s%s", tail(out.Stdout), tail(out.Stderr))
	}
	if peak == 0 {
		return 0, 0, errors.New("the memory of ralph was not seen")
	}
	return float64(size) / 1e6 / last.Agent.Duration.Seconds(), peak, nil
}
