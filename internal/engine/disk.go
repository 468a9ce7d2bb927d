package engine

import (
	"errors"
	"fmt"

	"ralph/internal/loop"
)

// ErrNoSpace: a disk that the loop needs is full.
var ErrNoSpace = errors.New("no space left")

// leastSpace is what must be left on a disk for a failure not to be put down to
// its being full.
const leastSpace = 1 << 20

// Space answers ErrNoSpace, wrapped with the place, when the disk of the loop's
// files, of its trees or of the repository is full. What an agent, a gate or
// git answers then says nothing about the work.
func (w *Worker) Space(s loop.State) error {
	for _, dir := range []string{w.Files.Dir, w.Repo.CommonDir, s.Worktree, s.GateTree, w.TreeRoot} {
		if free, known := freeSpace(dir); known && free < leastSpace {
			return fmt.Errorf("%w on the disk of %s", ErrNoSpace, dir)
		}
	}
	return nil
}
