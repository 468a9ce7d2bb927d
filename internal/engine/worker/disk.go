package worker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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

// WriteDurably writes a file that an event is about to name, or that is frozen
// for the rest of the loop: it is there whole, or not at all, also after a kill,
// a full disk or a power cut.
func WriteDurably(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Replace(path, data, 0o600)
}

// Replace is WriteDurably for a file of the project, with its mode. A
// temporary file that a kill leaves is hidden and in the same directory until
// RemoveHalves.
func Replace(path string, data []byte, mode os.FileMode) error {
	dir := filepath.Dir(path)
	before, after := halfName(path)
	half := filepath.Join(dir, before+strconv.Itoa(os.Getpid())+after) // two checks of one loop may meet here
	err := writeSynced(half, data, mode)
	if err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		_ = os.Remove(half)
		return err
	}
	return syncDir(dir)
}

// halfName is the name of a file's temporary files, around the id of the process
// that writes one.
func halfName(path string) (before, after string) {
	return "." + filepath.Base(path) + ".ralph-", ".tmp"
}

// RemoveHalves removes the temporary files that killed processes left of Replace.
// Only the process that alone may write the file calls it.
func RemoveHalves(path string) {
	dir := filepath.Dir(path)
	all, err := os.ReadDir(dir)
	if err != nil {
		return // reading the file itself reports it
	}
	before, after := halfName(path)
	for _, f := range all {
		id, ok := strings.CutPrefix(f.Name(), before)
		id, is := strings.CutSuffix(id, after)
		if pid, err := strconv.ParseUint(id, 10, 32); ok && is && err == nil && strconv.FormatUint(pid, 10) == id && f.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, f.Name())) // the next run tries again
		}
	}
}

func writeSynced(path string, data []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0o600 {
		err = f.Chmod(mode) // whatever the umask is
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
