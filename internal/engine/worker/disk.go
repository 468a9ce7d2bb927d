package worker

import (
	"ralph/internal/disk"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// Space returns ErrNoSpace, wrapped with the place, when the disk of the loop's
// files, of its trees or of the repository is full. Errors of an agent, a gate
// or git then prove nothing about the work.
func (w *Worker) Space(s loop.State) error {
	return engine.NoSpace(disk.Full(w.Files.Dir, w.Repo.CommonDir, s.Worktree, s.GateTree, w.TreeRoot))
}
