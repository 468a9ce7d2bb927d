package project

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"ralph/internal/disk"
	"ralph/internal/engine"
	"ralph/internal/proc"
)

// FullDisk returns a directory of the project whose disk is full; empty: none is.
func (a *Opener) FullDisk(p *Project) string {
	return disk.Full(p.Home, p.Place.CommonDir, a.TreeRoot(p), proc.TempRoot())
}

// NoRoom returns an error where the disk on which runs are recorded is full: none can begin.
func (a *Opener) NoRoom(p *Project) error { return engine.NoSpace(disk.Full(p.Home)) }

// lack returns what runs of the project wait for: a disk that is full, or a directory that
// is gone or cannot be written.
func (a *Opener) lack(p *Project) error {
	if _, err := os.Stat(p.Place.CommonDir); err != nil {
		return engine.Unusable(p.Place.CommonDir, err)
	}
	if dir := a.FullDisk(p); dir != "" {
		return engine.NoSpace(dir)
	}
	return engine.Unusable(disk.Unusable(p.Place.CommonDir, p.Home, a.TreeRoot(p), proc.TempRoot()))
}

// spaceWait returns what the runs of this process wait with for what they lack. The first that
// waits says so, and the last that ends.
func (a *Opener) spaceWait(p *Project) engine.SpaceWait {
	w := &waitingRuns{say: a.Say, lack: func() error { return a.lack(p) }, pause: leastPause}
	return w.wait
}

// A disk whose free space is not known (a quota) is tried again after pauses that
// double; a run that had space for longer than the longest begins with the shortest again.
const (
	leastPause = time.Second
	mostPause  = 30 * time.Second
)

// mostUnusable is how long a directory is waited for that is gone or cannot be written. Then
// the process ends, and the run can be resumed.
const mostUnusable = time.Hour

type waitingRuns struct {
	say  func(format string, args ...any)
	lack func() error

	mu    sync.Mutex
	runs  int
	pause time.Duration
	left  time.Time
}

// wait is an engine.SpaceWait.
func (w *waitingRuns) wait(ctx context.Context, full error) error {
	pause, lack := w.enter(full)
	for since := time.Now(); ; {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			w.leave("")
			return context.Cause(ctx)
		}
		if now := w.lack(); now != nil {
			if pause, lack = leastPause, now; errors.Is(now, engine.ErrUnusable) && time.Since(since) > mostUnusable {
				w.leave("")
				return now
			}
			continue
		}
		switch {
		case lack == nil:
			w.leave("tries again")
		case errors.Is(lack, engine.ErrNoSpace):
			w.leave("there is room on the disk again: continues")
		default:
			w.leave("it can be used again: continues")
		}
		return nil
	}
}

// enter counts a run that waits. lack is what is known to be lacking.
func (w *waitingRuns) enter(full error) (pause time.Duration, lack error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lack = w.lack()
	if w.runs++; w.runs > 1 {
		return w.pause, lack
	}
	if w.pause = min(2*w.pause, mostPause); time.Since(w.left) > mostPause {
		w.pause = leastPause
	}
	if lack != nil {
		full = lack
	}
	if errors.Is(full, engine.ErrNoSpace) {
		w.say("! %v; waits until there is room", full)
	} else {
		w.say("! %v; waits until it can be used", full)
	}
	return w.pause, lack
}

func (w *waitingRuns) leave(words string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = time.Now()
	if w.runs--; w.runs == 0 && words != "" {
		w.say("%s", words)
	}
}
