package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// viewPause is how long views wait for further commits once they were written. A step
// of a loop that does nothing takes about 15 ms, people read slower than this.
const viewPause = 50 * time.Millisecond

// lateViews writes views beside the commits that change them: several commits that
// follow one another are shown together.
type lateViews struct {
	mu      sync.Mutex
	ids     []string // of the loops that changed since the views were last written
	writing bool     // a goroutine runs that writes them
	// hurry is closed by the first that waits for its end, done when it ends. Each goroutine has its own.
	hurry, done chan struct{}
}

// showSoon is show beside the caller. ViewError and Close wait for it.
func (s *Store) showSoon(id string) {
	if s.o.Views == "" || s.o.ReadOnly {
		return
	}
	v := &s.late
	v.mu.Lock()
	defer v.mu.Unlock()
	if !slices.Contains(v.ids, id) {
		v.ids = append(v.ids, id)
	}
	if !v.writing {
		v.writing, v.hurry, v.done = true, make(chan struct{}), make(chan struct{})
		go s.writeLate()
	}
}

// writeLate writes views until no loop has changed since.
func (s *Store) writeLate() {
	v := &s.late
	for {
		v.mu.Lock()
		ids, hurry := v.ids, v.hurry
		if v.ids = nil; ids == nil {
			v.writing = false
			close(v.done)
		}
		v.mu.Unlock()
		if ids == nil {
			return
		}
		s.show(context.Background(), ids...)
		select {
		case <-time.After(viewPause):
		case <-hurry:
		}
	}
}

// finishViews waits until the views of all commits up to now are written.
func (s *Store) finishViews() {
	v := &s.late
	v.mu.Lock()
	writing, done := v.writing, v.done
	if writing {
		select {
		case <-v.hurry:
		default:
			close(v.hurry)
		}
	}
	v.mu.Unlock()
	if writing {
		<-done
	}
}
