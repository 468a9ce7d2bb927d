package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"ralph/internal/sandbox/room"
)

// Kept holds the directories of the layers that loops keep, below [LayerRoot]. Each
// names its loop, so that those of deleted loops are found. The zero value holds none, and nil none ever.
type Kept struct {
	mu   sync.Mutex
	held map[string]*os.File
}

// nameFile holds the loop's own directory. Its owner has a shared lock on it: a process
// elsewhere, which cannot see the loop (another container, a disk of its own), would
// take the loop for deleted.
const nameFile = "loop"

// Dir returns the directory for a loop, made where it is missing, and holds it until
// Drop or the end of the process.
func (k *Kept) Dir(loopDir string) (string, error) {
	root, err := LayerRoot()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(loopDir))
	dir := filepath.Join(root, hex.EncodeToString(sum[:8]))
	if k == nil {
		return dir, os.MkdirAll(dir, 0o700)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.holds(dir) {
		return dir, nil
	}
	if _, err := os.Lstat(dir); err != nil {
		sweep(root)
	}
	for range 5 { // another process may be removing it
		if err = k.hold(dir, loopDir); err == nil && k.holds(dir) {
			return dir, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%s is removed each time it is made", dir)
	}
	return "", err
}

func (k *Kept) hold(dir, loopDir string) error {
	k.release(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, nameFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	share(f)
	if k.held == nil {
		k.held = map[string]*os.File{}
	}
	k.held[dir] = f
	if have, err := os.ReadFile(f.Name()); err == nil && string(have) == loopDir {
		return nil
	}
	_, err = f.WriteAt([]byte(loopDir), 0)
	return err
}

// holds reports whether a directory is held, and the file that is held is still its
// own.
func (k *Kept) holds(dir string) bool {
	f := k.held[dir]
	if f == nil {
		return false
	}
	here, err := os.Stat(filepath.Join(dir, nameFile))
	if err != nil {
		return false
	}
	held, err := f.Stat()
	return err == nil && os.SameFile(here, held)
}

// Drop removes the directory of a loop.
func (k *Kept) Drop(loopDir string) {
	dir, err := k.Dir(loopDir)
	if err != nil {
		return
	}
	room.RemoveAll(dir)
	if k != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.release(dir)
	}
}

func (k *Kept) release(dir string) {
	if f := k.held[dir]; f != nil {
		_ = f.Close()
		delete(k.held, dir)
	}
}

// sweep removes the layers of loops that no longer exist and that no process holds.
func sweep(root string) {
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		f, err := os.Open(filepath.Join(dir, nameFile))
		if err != nil {
			continue // being made, or a trial
		}
		name, err := os.ReadFile(f.Name())
		if err == nil && len(name) > 0 && alone(f) {
			if _, err := os.Stat(string(name)); os.IsNotExist(err) {
				room.RemoveAll(dir)
			}
		}
		_ = f.Close()
	}
}
