package worker

import (
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// leastSpace is the free space below which a failure may be caused by a full
// disk.
const leastSpace = 1 << 20

// Space returns ErrNoSpace, wrapped with the place, when the disk of the loop's
// files, of its trees or of the repository is full. Errors of an agent, a gate
// or git then prove nothing about the work.
func (w *Worker) Space(s loop.State) error {
	for _, dir := range []string{w.Files.Dir, w.Repo.CommonDir, s.Worktree, s.GateTree, w.TreeRoot} {
		if free, known := freeSpace(dir); known && free < leastSpace {
			return fmt.Errorf("%w on the disk of %s", engine.ErrNoSpace, dir)
		}
	}
	return nil
}
