package worker

import (
	"os"
	"slices"
	"strings"

	"ralph/internal/disk"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Space returns ErrNoSpace, wrapped with the place, when the disk of the loop's
// files, of its trees, of the repository or of temporary files is full. Errors of an
// agent, a gate or git then prove nothing about the work.
func (w *Worker) Space(s loop.State) error {
	return engine.NoSpace(disk.Full(w.Files.Dir, w.Repo.CommonDir, s.Worktree, s.GateTree, w.TreeRoot, os.TempDir()))
}

// noSpace are the words of programs for a full disk or a used-up quota.
var noSpace = []string{
	"No space left on device", "ENOSPC", "Errno 28", "os error 28", "Disk quota exceeded", "EDQUOT", "Errno 122", "os error 122",
}

// saysNoSpace reports whether a program's output tells of a full disk.
func saysNoSpace(output string) bool {
	return slices.ContainsFunc(noSpace, func(words string) bool { return strings.Contains(output, words) })
}

// spaceless returns an error for the run of a gate that has no result, since a disk was
// full: one is now, or the gate says so in a run whose failure would prove something about
// the work, as on the base.
func (w *Worker) spaceless(s loop.State, e evaluation, r loop.Result) error {
	if r.Verdict == loop.Passed {
		return nil
	}
	if err := w.Space(s); err != nil {
		return err
	}
	if e.again && (e.OnBase || e.name != "") && saysNoSpace(said(r)) {
		return &proc.Cut{What: "gate " + e.Gate.Name, How: r.Reason + "; its output tells of a full disk", Cause: loop.CauseLack}
	}
	return nil
}
