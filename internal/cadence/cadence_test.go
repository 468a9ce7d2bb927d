package cadence

import (
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// TestTogether: tickers that begin at different moments tick at the same ones, also those
// of a multiple of the period, and each of them again and again. In the bubble of synctest
// a sleep takes no time.
func TestTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var all []*Ticker
		for _, every := range []time.Duration{time.Second, 5 * time.Second, 5 * time.Second, 5 * time.Second} {
			ticker := New(every)
			defer ticker.Stop()
			all = append(all, ticker)
			time.Sleep(1300 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		for _, ticker := range all { // each has ticked once, at a moment of its own
			<-ticker.C
			ticker.Next()
		}
		for range 3 {
			tick := <-all[1].C
			for _, other := range all[2:] {
				if at := <-other.C; !at.Equal(tick) {
					t.Fatalf("one ticks at %v, another one at %v", tick, at)
				}
				other.Next()
			}
			all[1].Next()
		}
		<-all[0].C // the one that it was not asked to follow
		all[0].Next()
		if a, b := <-all[0].C, <-all[1].C; a.Sub(b)%time.Second != 0 {
			t.Errorf("a second ticks at %v, five at %v", a, b)
		}
	})
}

// TestLeft: the next multiple is ahead, and none is between.
func TestLeft(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		passed := time.Duration(rapid.Int64Range(-1<<50, 1<<50).Draw(t, "passed"))
		every := time.Duration(rapid.Int64Range(1, 1<<40).Draw(t, "every"))
		if l := left(passed, every); l <= 0 || l > every || (passed+l)%every != 0 {
			t.Fatalf("%v after %v, every %v", l, passed, every)
		}
	})
}
