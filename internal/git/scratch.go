package git

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// scratchDir holds temporary indexes: beside ralph's state, so that files of a
// killed process are found, and on the repository's own disk. Before ralph has
// state there, the system's temporary folder is used.
func (r *Repo) scratchDir() string { return filepath.Join(r.CommonDir, "ralph", "tmp") }

// scratch creates a temporary directory whose name holds the process id.
func (r *Repo) scratch() (string, error) {
	dir, name := r.scratchDir(), fmt.Sprintf("index-%d-", os.Getpid())
	if fi, err := os.Lstat(filepath.Dir(dir)); err != nil || !fi.IsDir() {
		return os.MkdirTemp("", "ralph-"+name)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return os.MkdirTemp(dir, name)
}

// A scratch directory is removed when its process is gone; not at once, since the
// process may be another machine's or container's, and after a day in any case,
// since another process may have its number by then.
const (
	scratchFresh = time.Minute
	scratchOld   = 24 * time.Hour
)

// SweepScratch removes temporary indexes of killed processes, and seals of worktrees that
// are gone. Failures are left to the next call.
func (r *Repo) SweepScratch() {
	r.sweepSeals()
	left, err := os.ReadDir(r.scratchDir())
	if err != nil {
		return
	}
	for _, e := range left {
		pid, ours := scratchOwner(e.Name())
		fi, err := e.Info()
		if err != nil || !ours {
			continue
		}
		age := time.Since(fi.ModTime())
		if age > scratchOld || age > scratchFresh && gone(pid) {
			_ = os.RemoveAll(filepath.Join(r.scratchDir(), e.Name()))
		}
	}
}

func scratchOwner(name string) (pid int, ours bool) {
	rest, ours := strings.CutPrefix(name, "index-")
	number, _, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(number)
	return pid, ours && err == nil && pid > 0
}

// gone reports whether there is no process of this number; in doubt, there is
// one.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	defer func() { _ = p.Release() }()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// emptyIndex reports whether there is an index without even the mark of one.
func emptyIndex(gitDir string) bool {
	f, err := os.Open(filepath.Join(gitDir, "index"))
	if err != nil {
		return false
	}
	defer f.Close()
	mark := make([]byte, 4)
	_, err = io.ReadFull(f, mark)
	return err != nil || string(mark) != "DIRC"
}

// endUnfinished ends an agent's unfinished merge, rebase or bisect: its result is
// committed, and the next attempt starts from a plain state.
func endUnfinished(gitDir string) {
	for _, name := range []string{
		"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", "SQUASH_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD",
		"BISECT_LOG", "BISECT_START", "BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV", "BISECT_ANCESTORS_OK",
		"rebase-merge", "rebase-apply", "sequencer",
	} {
		os.RemoveAll(filepath.Join(gitDir, name))
	}
}
