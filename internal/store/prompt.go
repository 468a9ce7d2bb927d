package store

import (
	"os"
	"path/filepath"
)

// AtPrompt records that a terminal shows the question of a loop or a plan, until
// the returned function is called or the process is gone. It decides nothing,
// and a second call changes nothing: other commands use it to tell the user
// which process continues with an answer.
func (s *Store) AtPrompt(id string) func() {
	f, err := lockAt(s.promptLock(id), 0)
	if err != nil {
		return func() {}
	}
	return func() { unlock(f) }
}

// Prompted reports whether a terminal shows the question.
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
