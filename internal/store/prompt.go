package store

import (
	"os"
	"path/filepath"
)

// AtPrompt notes that a terminal asks a person what a loop or a plan wants to
// know, until the returned function is called or the process is gone. It decides
// nothing, and a second one changes nothing: others tell a person by it who goes
// on with an answer.
func (s *Store) AtPrompt(id string) func() {
	f, err := lockAt(s.promptLock(id), 0)
	if err != nil {
		return func() {}
	}
	return func() { unlock(f) }
}

// Prompted says whether a terminal asks.
func (s *Store) Prompted(id string) bool {
	held, err := lockedFrom(s.promptLock(id), 0)
	return err == nil && held
}

// promptLock lies with the files of the loop, or of the plan.
func (s *Store) promptLock(id string) string {
	dir := s.PlanDir(id)
	if _, err := os.Stat(dir); err != nil {
		dir = s.loopDir(id)
	}
	return filepath.Join(dir, "prompt.lock")
}
