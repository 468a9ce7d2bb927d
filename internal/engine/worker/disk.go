package worker

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"ralph/internal/disk"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Lacks returns ErrNoSpace, wrapped with the place, when the disk of the loop's files, of its
// trees, of the repository or of temporary files is full, and ErrUnusable when one of
// ralph's or git's directories is gone or cannot be written. Errors of an agent, a gate or
// git then prove nothing about the work.
func (w *Worker) Lacks(s loop.State) error {
	if err := w.present(); err != nil {
		return err
	}
	if full := disk.Full(w.Files.Dir, w.Repo.CommonDir, s.Worktree, s.GateTree, w.TreeRoot, proc.TempRoot()); full != "" {
		return engine.NoSpace(full)
	}
	if s.Mode == loop.AgentDriven { // its agent's sandbox may hold this process, too
		return nil
	}
	return engine.Unusable(disk.Unusable(append(w.Repo.Writes(), w.Files.Dir, w.TreeRoot, proc.TempRoot())...))
}

// Unsuccessful reports whether an event says that an agent failed, a gate has not passed or
// the work is not proved: where Lacks finds something, it does not count.
func Unsuccessful(e loop.Event) bool {
	switch e := e.(type) {
	case loop.AgentEnded:
		return e.Outcome.End == loop.EndFailed
	case loop.GateEnded:
		return e.Result.Verdict != loop.Passed
	case loop.Proved:
		return !e.Proof.Shown()
	}
	return false
}

// present returns ErrUnusable where the repository is not there: nothing may be made in
// its place.
func (w *Worker) present() error {
	if _, err := os.Stat(w.Repo.CommonDir); err != nil {
		return engine.Unusable(w.Repo.CommonDir, err)
	}
	return nil
}

// keeps returns an interruption for a process that was not successful, and whose folder of
// temporary files is gone.
func keeps(what, temp string, success bool) error {
	if success || temp == "" {
		return nil
	}
	if _, err := os.Stat(temp); errors.Is(err, fs.ErrNotExist) {
		return &proc.Cut{What: what, How: "its folder of temporary files was removed: " + temp, Cause: loop.CauseLack}
	}
	return nil
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
	if err := w.Lacks(s); err != nil {
		return err
	}
	if e.again && (e.OnBase || e.name != "") && saysNoSpace(said(r)) {
		return &proc.Cut{What: "gate " + e.Gate.Name, How: r.Reason + "; its output tells of a full disk", Cause: loop.CauseLack}
	}
	return nil
}
