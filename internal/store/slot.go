package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// mostSlots is how many loops of one machine can have a slot at once.
const mostSlots = 400

// errNoSlot is returned when mostSlots loops of the machine run.
var errNoSlot = fmt.Errorf("%d loops of this machine run, and each has a slot", mostSlots)

// slot is the number of a running loop among those of all repositories of the user's
// machine. The lock of the file NUMBER is held while the loop runs, so that a dead
// owner loses it; the file NUMBER.loop names the loop, which gets the same number
// again when it is resumed, as long as others leave one free.
type slot struct {
	number int
	path   string
	lock   *os.File
}

// Slot returns the number of the lease's loop, from 1, the same one until the lease is
// released. A store without Options.Slots has none: 0.
func (l *LoopLease) Slot(ctx context.Context) (int, error) {
	dir := l.s.o.Slots
	if dir == "" {
		return 0, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.slot != nil {
		return l.slot.number, nil
	}
	s, err := takeSlot(ctx, dir, l.s.dir+"\n"+l.id+"\n")
	if err != nil {
		return 0, fmt.Errorf("take a slot of the machine in %s: %w", dir, err)
	}
	l.slot = s
	return s.number, nil
}

// takeSlot takes the slot that loop had, else one that no loop has, else one whose
// loop does not run now.
func takeSlot(ctx context.Context, dir, loop string) (*slot, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	turn, err := waitLock(ctx, filepath.Join(dir, "turn"), 10*time.Second)
	if err != nil {
		return nil, err
	}
	defer unlock(turn)
	own, free, left, err := slotsFor(dir, loop)
	if err != nil {
		return nil, err
	}
	for _, n := range append(append(own, free...), left...) {
		s := &slot{number: n, path: filepath.Join(dir, strconv.Itoa(n))}
		s.lock, err = lockAt(s.path, 0)
		switch {
		case errors.Is(err, errLocked):
			continue
		case err != nil:
			return nil, err
		}
		if err := os.WriteFile(s.path+slotLoop, []byte(loop), 0o600); err != nil {
			unlock(s.lock)
			return nil, err
		}
		return s, nil
	}
	return nil, errNoSlot
}

// slotLoop ends the name of the file with the loop of a slot.
const slotLoop = ".loop"

// slotsFor sorts the numbers by the loops that had them.
func slotsFor(dir, loop string) (own, free, left []int, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	used := map[string]bool{}
	for _, f := range files {
		used[f.Name()] = true
	}
	for n := 1; n <= mostSlots; n++ {
		name := strconv.Itoa(n) + slotLoop
		if !used[name] {
			free = append(free, n)
			continue
		}
		if had, err := os.ReadFile(filepath.Join(dir, name)); err == nil && string(had) == loop {
			own = append(own, n)
		} else {
			left = append(left, n)
		}
	}
	return own, free, left, nil
}

// releaseSlot gives the slot up. The loop of an ended one does not come back for it.
func (l *LoopLease) releaseSlot() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.slot == nil {
		return
	}
	if l.state.Status.Terminal() {
		_ = os.Remove(l.slot.path + slotLoop)
	}
	unlock(l.slot.lock)
	l.slot = nil
}
