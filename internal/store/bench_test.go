//go:build unix

package store

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// BenchmarkCommit is one durable transition.
func BenchmarkCommit(b *testing.B) {
	for _, views := range []bool{false, true} {
		b.Run(fmt.Sprintf("views=%v", views), func(b *testing.B) {
			o := Options{}
			if views {
				o.Views = b.TempDir()
			}
			s := openTest(b, b.TempDir()+"/ralph", o)
			l := create(b, s, "a")
			for b.Loop() {
				must(b, tick(b.Context(), l))
			}
			must(b, s.ViewError())
		})
	}
}

// BenchmarkStatus opens the store and lists what runs, among n ended loops.
func BenchmarkStatus(b *testing.B) {
	for _, n := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("ended=%d", n), func(b *testing.B) {
			s := openTest(b, b.TempDir()+"/ralph", Options{})
			create(b, s, "running")
			endedLoops(b, s, n)
			for b.Loop() {
				r, err := Open(b.Context(), s.dir, Options{ReadOnly: true})
				must(b, err)
				active, err := r.Entries(b.Context(), Filter{Active: true})
				must(b, err)
				latest, err := r.Entries(b.Context(), Filter{Limit: 10})
				must(b, err)
				if len(active) != 1 || len(latest) == 0 {
					b.Fatal(len(active), len(latest))
				}
				must(b, r.Close())
			}
		})
	}
}

// endedLoops copies one ended loop n times, in one transaction.
func endedLoops(b *testing.B, s *Store, n int) {
	b.Helper()
	l := create(b, s, "ended")
	must(b, endWith(b.Context(), l, loop.StatusPassed, loop.Green))
	_, err := s.db.Load().Exec(`
		WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO loops (id, mode, status, reason, epoch, seq, ended, deadline, updated, owner, summary)
		SELECT 'ended-' || i, mode, status, reason, epoch, seq, ended, deadline, updated, owner, summary
		FROM n, loops WHERE id = 'ended' AND i <= ?`, n, n)
	must(b, err)
	_, err = s.db.Load().Exec(`INSERT INTO states SELECT num, (SELECT data FROM states WHERE num = 2) FROM loops WHERE num > 2`)
	must(b, err)
}

// BenchmarkOpenWrite is what a process pays to make one durable change.
func BenchmarkOpenWrite(b *testing.B) {
	dir := b.TempDir() + "/ralph"
	must(b, create(b, openTest(b, dir, Options{}), "a").Release(b.Context()))
	for b.Loop() {
		s, err := Open(b.Context(), dir, Options{})
		must(b, err)
		must(b, s.Send(b.Context(), "a", Message{Kind: "steer"}))
		must(b, s.Close())
	}
}

// BenchmarkFourProcesses is the time of one transition when four processes make
// them at once, each on its own loop.
func BenchmarkFourProcesses(b *testing.B) {
	dir := b.TempDir() + "/ralph"
	openTest(b, dir, Options{})
	each := max(b.N/4, 1)
	b.ResetTimer()
	var all []*child
	for i := range 4 {
		all = append(all, spawn(b, "steps", dir, fmt.Sprintf("l%d-%d", b.N, i), strconv.Itoa(each)))
	}
	for _, c := range all {
		c.end()
	}
	b.StopTimer()
	b.ReportMetric(float64(4*each)/b.Elapsed().Seconds(), "transitions/s")
}

// BenchmarkFloor is what the disk alone asks for: as many bytes as a transition
// writes, and one sync.
func BenchmarkFloor(b *testing.B) {
	f, err := os.Create(b.TempDir() + "/log")
	must(b, err)
	defer f.Close()
	page := make([]byte, 7*4120)
	for b.Loop() {
		_, err := f.WriteAt(page, 0)
		must(b, err)
		must(b, f.Sync())
	}
}

// BenchmarkAcquireLong acquires a loop of 2,000 attempts with ten events each, all of
// which are compared with their hashes.
func BenchmarkAcquireLong(b *testing.B) {
	s := openTest(b, b.TempDir()+"/ralph", Options{})
	l := create(b, s, "a")
	events := make([]loop.Event, 20_000)
	for i := range events {
		events[i] = loop.Steered{Stamp: loop.Stamp{At: clock()}, Text: strings.Repeat("x", 1000)}
	}
	must(b, l.Commit(b.Context(), l.State(), events))
	must(b, l.Release(b.Context()))
	for b.Loop() {
		l, err := s.Acquire(b.Context(), "a", false)
		must(b, err)
		must(b, l.Release(b.Context()))
	}
}
