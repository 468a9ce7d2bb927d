//go:build server

package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
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

// longVariable is how many attempts the loop of BenchmarkLong makes; 10,000 where it is not set.
const longVariable = "RALPH_BENCH_ATTEMPTS"

// BenchmarkLong records a loop of 10,000 attempts: what one of the first 100 costs, one after
// a tenth of them, and one of the last 100, beside one of a loop that began a while ago, so that
// both have the same load. A clone that has nothing of it reads it then, and follows 100 more.
//
//	RALPH_BENCH_ATTEMPTS=10000 go -C temporal test -tags server -run '^$' -bench Long -benchtime 1x -timeout 2h ./store
func BenchmarkLong(b *testing.B) {
	attempts, err := strconv.Atoi(os.Getenv(longVariable))
	if err != nil {
		b.Skip(longVariable + " is not set: this server would cut a history after 60 events")
	}
	for b.Loop() {
		const some = 100
		l := newLong(b, attempts+some)
		l.measure(some).report(b, "first")
		l.attempts(attempts / 10)
		l.measure(some).report(b, "middle")
		for l.lease.State().Iteration < attempts-some {
			l.attempts(min(l.lease.State().Iteration+some/4, attempts-some))
			l.history()
		}
		young := newLong(b, 3*some)
		young.attempts(2 * some)
		old, beside := l.beside(young, some)
		old.report(b, "last")
		beside.report(b, "young")
		b.ReportMetric(float64(len(l.executions)), "executions")
		b.ReportMetric(float64(l.input())/1000, "kB-input")
		state, err := json.Marshal(l.lease.State())
		l.ok(err)
		b.ReportMetric(float64(len(state))/1000, "kB-state")
		l.read(b, some)
		b.ReportMetric(0, "ns/op")
	}
}

// read lets a clone read the loop, and follow so many attempts.
func (l *long) read(b *testing.B, some int) {
	c := l.clone()
	got := l.refresh(c)
	b.ReportMetric(got.time.Seconds(), "clone-s")
	b.ReportMetric(float64(got.requests), "clone-requests")
	b.ReportMetric(float64(got.bytes)/1e6, "clone-MB")
	var all cost
	for range some {
		l.attempts(l.lease.State().Iteration + 1)
		got := l.refresh(c)
		all = cost{all.time + got.time, all.requests + got.requests, all.bytes + got.bytes}
	}
	b.ReportMetric(all.time.Seconds()*1000/float64(some), "follow-ms")
	b.ReportMetric(float64(all.requests)/float64(some), "follow-requests")
	b.ReportMetric(float64(all.bytes)/1000/float64(some), "follow-kB")
}

// pace is what some attempts took: the time of each, and the history that they left.
type pace struct {
	each  []time.Duration
	bytes int64
}

// measure makes some more attempts.
func (l *long) measure(some int) (p pace) {
	_, before := l.history()
	for range some {
		p.each = append(p.each, l.attempt())
	}
	_, after := l.history()
	p.bytes = after - before
	return p
}

// beside makes some more attempts of two loops, in turns.
func (l *long) beside(other *long, some int) (p, o pace) {
	_, before := l.history()
	_, otherBefore := other.history()
	for range some {
		p.each, o.each = append(p.each, l.attempt()), append(o.each, other.attempt())
	}
	_, after := l.history()
	_, otherAfter := other.history()
	p.bytes, o.bytes = after-before, otherAfter-otherBefore
	return p, o
}

func (l *long) attempt() time.Duration {
	began := time.Now()
	l.attempts(l.lease.State().Iteration + 1)
	took := time.Since(began)
	l.history()
	return took
}

func (p pace) report(b *testing.B, name string) {
	slices.Sort(p.each)
	b.ReportMetric(p.each[len(p.each)/2].Seconds()*1000, name+"-ms/attempt")
	b.ReportMetric(float64(p.bytes)/1000/float64(len(p.each)), name+"-kB/attempt")
}
