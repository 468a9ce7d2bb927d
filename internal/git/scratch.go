package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// scratchDir holds our temporary indexes: beside ralph's memory, so that what a
// killed process left is found again, and on the repository's own disk. Before
// there is a memory, the system's own place has to do.
func (r *Repo) scratchDir() string { return filepath.Join(r.CommonDir, "ralph", "tmp") }

// scratch makes a temporary directory whose name tells whose it is.
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

// A scratch directory is swept when its process is gone; not at once, since the
// process may be another machine's or container's, and after a day in any case,
// since its number may be somebody else's by now.
const (
	scratchFresh = time.Minute
	scratchOld   = 24 * time.Hour
)

// SweepScratch removes what killed processes left of temporary indexes. What
// cannot be removed is left to the next.
func (r *Repo) SweepScratch() {
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

// gone says that there is no process of this number. What cannot be asked is
// there.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	defer func() { _ = p.Release() }()
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
