//go:build server

package store_test

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/temporal/store"
)

// BenchmarkList lists 1,000 loops that have ended and are not archived, as the first command of
// a clone does, as each later one does before it shows them, and as a worker does each second.
// RALPH_BENCH_RUNS is another number.
//
//	go -C temporal test -tags server -run '^$' -bench List ./store
func BenchmarkList(b *testing.B) {
	runs := 1000
	if n, err := strconv.Atoi(os.Getenv("RALPH_BENCH_RUNS")); err == nil {
		runs = n
	}
	p := project()
	requests := &requests{}
	s, err := store.Open(requests.client(), store.Loops(), store.Options{Project: p, Owner: "test"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	var all sync.WaitGroup
	slots := make(chan struct{}, 16)
	for n := range runs {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			state := first(fmt.Sprintf("run-%d", n))
			state.Status = loop.Aborted
			l, err := s.Create(b.Context(), state, nil)
			if err == nil {
				err = l.Release(b.Context())
			}
			if err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if got, err := s.List(b.Context(), engine.Filter{}); err == nil && len(got) == runs {
			break
		} else if time.Now().After(end) {
			b.Fatalf("%d of %d runs, %v", len(got), runs, err)
		}
	}
	known := atEvent{}
	for n := range runs {
		known[fmt.Sprintf("run-%d", n)] = 0
	}
	list := func(f engine.Filter) func() ([]engine.Stored[loop.State], error) {
		return func() ([]engine.Stored[loop.State], error) { return s.List(b.Context(), f) }
	}
	for name, c := range map[string]struct {
		list func() ([]engine.Stored[loop.State], error)
		want int
	}{
		"clone": {list(engine.Filter{}), runs}, "worker": {list(engine.Filter{Active: true}), 0},
		"command": {func() ([]engine.Stored[loop.State], error) { return s.Unknown(b.Context(), known) }, 0},
	} {
		b.Run(name, func(b *testing.B) {
			before := requests.lists.Load()
			for b.Loop() {
				if got, err := c.list(); err != nil || len(got) != c.want {
					b.Fatalf("%d of %d runs, %v", len(got), runs, err)
				}
			}
			b.ReportMetric(float64(requests.lists.Load()-before)/float64(b.N), "requests/op")
		})
	}
}
