package web

import (
	"sync"
	"time"
)

// memory are browsers that are signed in as long as the process lives.
type memory struct {
	mu  sync.Mutex
	all map[string]time.Time
}

// Add signs a browser in. The ones that were not used for too long make room, and the
// oldest of too many.
func (m *memory) Add(id string, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	oldest := ""
	for other, at := range m.all {
		if now.Sub(at) > SessionAge {
			delete(m.all, other)
		} else if oldest == "" || at.Before(m.all[oldest]) {
			oldest = other
		}
	}
	if len(m.all) >= MostSessions {
		delete(m.all, oldest)
	}
	if m.all == nil {
		m.all = map[string]time.Time{}
	}
	m.all[id] = now
	return nil
}

// Used reports whether a browser is signed in, and notes that it was used now.
func (m *memory) Used(id string, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, found := m.all[id]
	if !found || now.Sub(at) > SessionAge {
		return false
	}
	m.all[id] = now
	return true
}

// Remove signs a browser out.
func (m *memory) Remove(id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, id)
	return nil
}
