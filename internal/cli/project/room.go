package project

import (
	"context"
	"os"
	"sync"
	"time"

	"ralph/internal/disk"
	"ralph/internal/engine"
)

// FullDisk returns a directory of the project whose disk is full; empty: none is.
func (a *Opener) FullDisk(p *Project) string {
	return disk.Full(p.Home, p.Place.CommonDir, a.TreeRoot(p), os.TempDir())
}

// room returns what the runs of this process wait with for a disk that is full. The first
// that waits says so, and the last that ends.
func (a *Opener) room(p *Project) engine.Room {
	w := &waitingRoom{say: a.Say, full: func() string { return a.FullDisk(p) }, pause: leastPause}
	return w.wait
}

// A disk whose free space is not known (a quota) is tried again after pauses that
// double; a run that had room for longer than the longest begins with the shortest again.
const (
	leastPause = time.Second
	mostPause  = 30 * time.Second
)

type waitingRoom struct {
	say  func(format string, args ...any)
	full func() string

	mu    sync.Mutex
	runs  int
	pause time.Duration
	left  time.Time
}

// wait is an engine.Room.
func (w *waitingRoom) wait(ctx context.Context, full error) error {
	pause, isFull := w.enter(full)
	for {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			w.leave("")
			return context.Cause(ctx)
		}
		if w.full() != "" {
			pause, isFull = leastPause, true
			continue
		}
		if isFull {
			w.leave("there is room on the disk again: continues")
		} else {
			w.leave("tries again")
		}
		return nil
	}
}

// enter counts a run that waits. isFull: the disk is known to be full.
func (w *waitingRoom) enter(full error) (pause time.Duration, isFull bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	dir := w.full()
	if w.runs++; w.runs > 1 {
		return w.pause, dir != ""
	}
	if w.pause = min(2*w.pause, mostPause); time.Since(w.left) > mostPause {
		w.pause = leastPause
	}
	if dir != "" {
		full = engine.NoSpace(dir)
	}
	w.say("! %v; waits until there is room", full)
	return w.pause, dir != ""
}

func (w *waitingRoom) leave(words string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = time.Now()
	if w.runs--; w.runs == 0 && words != "" {
		w.say("%s", words)
	}
}
