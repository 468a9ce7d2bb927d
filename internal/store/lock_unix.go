//go:build unix && !linux

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// lockAt holds a whole file for each position, since flock knows no ranges. A
// query holds it for an instant, so it is tried more than once.
func lockAt(path string, at int64) (*os.File, error) {
	f, err := os.OpenFile(lockName(path, at), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range 20 {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, errLocked
	}
	return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
}

// unlock releases the lock before it closes: a child that is just being forked has a copy
// of the descriptor until it executes its program, and the lock would live on.
func unlock(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	_ = f.Close()
}

func lockName(path string, at int64) string {
	if at == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, at)
}

// lockedFrom reports whether a process holds position from or a later one.
func lockedFrom(path string, from int64) (bool, error) {
	files, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, e := range files {
		rest, ok := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		at, err := strconv.ParseInt(rest, 10, 64)
		if !ok || err != nil || at < from {
			continue
		}
		if held, err := flocked(lockName(path, at)); held || err != nil {
			return held, err
		}
	}
	return false, nil
}

func flocked(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	err = unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}
