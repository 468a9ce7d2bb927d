package proc

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAwake: time in which the supervisor did not run uses up no deadline.
func TestAwake(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	a := awake{last: begun}
	for _, row := range []struct{ at, want time.Duration }{
		{time.Second, time.Second},
		{3500 * time.Millisecond, 3500 * time.Millisecond},
		{43 * time.Second, 4500 * time.Millisecond}, // stopped for 40 s
		{43 * time.Second, 4500 * time.Millisecond}, // no time at all
		{42 * time.Second, 4500 * time.Millisecond}, // a clock that goes back
		{47 * time.Second, 4500*time.Millisecond + 5*time.Second},
	} {
		if got := a.tick(begun.Add(row.at)); got != row.want {
			t.Errorf("after %s: %s, want %s", row.at, got, row.want)
		}
	}
}

// TestDeadline: a deadline waits for what is left of it, and comes once.
func TestDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		d := newDeadline(10 * time.Second)
		<-d.C
		if d.passed(4 * time.Second) {
			t.Fatal("it passed after 4 of 10 s")
		}
		<-d.C
		if took := time.Since(begun); took != 16*time.Second || !d.passed(10*time.Second) || d.C != nil {
			t.Errorf("it came again after %s", took)
		}
		none := newDeadline(0)
		none.stop()
		if none.C != nil {
			t.Error("a deadline of nothing can come")
		}
	})
}
