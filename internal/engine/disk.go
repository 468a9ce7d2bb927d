package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/loop"
)

// ErrNoSpace: a disk that the loop needs is full.
var ErrNoSpace = errors.New("no space left")

// leastSpace is the free space below which a failure may be caused by a full
// disk.
const leastSpace = 1 << 20

// Space returns ErrNoSpace, wrapped with the place, when the disk of the loop's
// files, of its trees or of the repository is full. Errors of an agent, a gate
// or git then prove nothing about the work.
func (w *Worker) Space(s loop.State) error {
	for _, dir := range []string{w.Files.Dir, w.Repo.CommonDir, s.Worktree, s.GateTree, w.TreeRoot} {
		if free, known := freeSpace(dir); known && free < leastSpace {
			return fmt.Errorf("%w on the disk of %s", ErrNoSpace, dir)
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
// temporary file that a kill leaves is hidden and in the same directory.
func Replace(path string, data []byte, mode os.FileMode) error {
	dir := filepath.Dir(path)
	half := filepath.Join(dir, fmt.Sprintf(".%s.%d.tmp", filepath.Base(path), os.Getpid())) // two checks of one loop may meet here
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
