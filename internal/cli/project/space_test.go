package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ralph/internal/engine"
)

// TestWaitingRuns: two runs wait for a full disk as long as it is full, and the process says so
// once; a disk that only looks free is tried after pauses that double, up to 30 s.
func TestWaitingRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		var full atomic.Bool
		noSpace := engine.NoSpace("/d")
		disk := func() error {
			if full.Load() {
				return noSpace
			}
			return nil
		}
		w := &waitingRuns{
			say:   func(f string, args ...any) { fmt.Fprintf(&said, f+"\n", args...) },
			lack:  disk,
			pause: leastPause,
		}
		full.Store(true)
		began := time.Now()
		go func() { time.Sleep(10 * time.Minute); full.Store(false) }()
		done := make(chan error)
		for range 2 {
			go func() { done <- w.wait(t.Context(), noSpace) }()
		}
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if waited := time.Since(began); waited < 10*time.Minute || waited > 10*time.Minute+2*time.Second {
			t.Errorf("waited for %s", waited)
		}

		var pauses []string
		for range 7 {
			began := time.Now()
			if err := w.wait(t.Context(), noSpace); err != nil {
				t.Error(err)
			}
			pauses = append(pauses, time.Since(began).String())
		}
		time.Sleep(time.Minute)
		began = time.Now()
		if err := w.wait(t.Context(), noSpace); err != nil || time.Since(began) != leastPause {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		if got := strings.Join(pauses, " "); got != "2s 4s 8s 16s 30s 30s 30s" {
			t.Error(got)
		}

		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("ended"))
		if err := w.wait(ctx, noSpace); err == nil || err.Error() != "ended" {
			t.Error(err)
		}
		if n := strings.Count(said.String(), "! no space left on the disk of /d; waits until there is room\n"); n != 10 {
			t.Errorf("said %d times:\n%s", n, said.String())
		}
		for words, want := range map[string]int{"there is room on the disk again: continues\n": 1, "tries again\n": 8} {
			if n := strings.Count(said.String(), words); n != want {
				t.Errorf("said %d times:\n%s", n, said.String())
			}
		}
	})
}

// TestUnusable: a run waits for a directory that is gone until it is there again, for an
// hour at most.
func TestUnusable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gone := engine.Unusable("/repo/.git", fs.ErrNotExist)
		for back, want := range map[time.Duration]error{10 * time.Minute: nil, 2 * time.Hour: gone} {
			var said strings.Builder
			began := time.Now()
			w := &waitingRuns{
				say: func(f string, args ...any) { fmt.Fprintf(&said, f+"\n", args...) },
				lack: func() error {
					if time.Since(began) < back {
						return gone
					}
					return nil
				},
				pause: leastPause,
			}
			if err := w.wait(t.Context(), gone); !errors.Is(err, want) {
				t.Errorf("back after %s: %v", back, err)
			}
			if waited := min(back, mostUnusable); time.Since(began) > waited+2*time.Second {
				t.Errorf("waited for %s, not %s", time.Since(began), waited)
			}
			if !strings.HasPrefix(said.String(), "! /repo/.git cannot be used: file does not exist; waits until it can be used\n") {
				t.Error(said.String())
			}
		}
	})
}
