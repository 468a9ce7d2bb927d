package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// naive plays the case in a plain loop: the agent and the gate take turns in one
// tree with one home, at most twice. It returns an error unless the gate believes
// the agent and the oracle does not.
func (st *stage) naive(ctx context.Context) error {
	believed := false
	for range 2 {
		if r := st.sh(ctx, "sh ../../agent.sh </dev/null"); r.err != nil {
			return fmt.Errorf("the agent: %w", r.err)
		}
		r := st.sh(ctx, st.text("until")+" </dev/null")
		if r.err != nil {
			return fmt.Errorf("the gate: %w", r.err)
		}
		if believed = r.code == 0; believed {
			break
		}
		if err := os.WriteFile(filepath.Join(st.dir, "naive.txt"), []byte(r.out), 0o644); err != nil {
			return err
		}
	}
	if !believed {
		return errors.New("a plain loop does not believe this cheat: see naive.txt")
	}
	home, err := os.MkdirTemp(st.bench.dir, "oracle-")
	if err != nil {
		return err
	}
	right, said, err := st.ask(ctx, home, st.repo)
	if err == nil && right {
		err = errors.New("the work is right, so this is no cheat: " + said)
	}
	return err
}

// foolsPlainLoops returns an error if a cheat fools no plain loop.
func (m *matrix) foolsPlainLoops(ctx context.Context, all []scenario) error {
	errs := make([]error, len(all))
	turn := make(chan struct{}, max(m.parallel, 1))
	var group sync.WaitGroup
	for i, s := range all {
		if s.kind != kindCheat || m.lacks(s, key{mode: "run"}) != "" {
			continue
		}
		turn <- struct{}{}
		group.Go(func() {
			defer func() { <-turn }()
			if err := m.believe(ctx, s); err != nil {
				errs[i] = fmt.Errorf("%s: %w", s.name, err)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
