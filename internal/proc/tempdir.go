package proc

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"ralph/internal/disk"
	"ralph/internal/sandbox/room"
)

// leftAfter is the age at which a folder for temporary files is no longer in use, where no
// lock tells: no process runs that long.
const leftAfter = 7 * 24 * time.Hour

// swept are the folders that this process has searched for what others left.
var swept sync.Map

// tempKinds are what the folders of TempDir are for.
var tempKinds = []string{"agent", "probe", "room", "run"}

// TempRoot returns the directory of temporary files: os.TempDir, or where that is gone or
// cannot be written (the folder of a session that has ended) another one.
func TempRoot() string {
	named := os.TempDir()
	for _, dir := range []string{named, "/tmp", "/var/tmp"} {
		if _, why := disk.Unusable(dir); why == nil && isDir(dir) {
			return dir
		}
	}
	return named
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// TempDir creates a folder for temporary files below parent (TempRoot where that is empty
// or gone), named ralph-WHAT-PID-*. This process holds a lock on it until RemoveTempDir.
// Once in a process it also removes those that killed processes have left there.
func TempDir(parent, what string) (string, error) {
	if parent == "" || !isDir(parent) {
		parent = TempRoot()
	}
	prefix := "ralph-" + what + "-"
	if _, done := swept.LoadOrStore(filepath.Join(parent, prefix), true); !done {
		removeLeft(parent, prefix, time.Now())
	}
	dir, err := os.MkdirTemp(parent, prefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return "", fmt.Errorf("make a folder for temporary files: %w", err)
	}
	hold(dir)
	return dir, nil
}

// RemoveTempDir removes a folder of TempDir, as far as it can: another process removes what is
// left of it later.
func RemoveTempDir(dir string) {
	release := unhold(dir)
	defer release()
	room.RemoveAll(dir)
}

// SweepTempDirs removes the folders that killed processes left below parent (the system's
// where empty), and returns them.
func SweepTempDirs(parent string) (removed []string) {
	if parent == "" {
		parent = TempRoot()
	}
	for _, what := range tempKinds {
		removed = append(removed, removeLeft(parent, "ralph-"+what+"-", time.Now())...)
	}
	return removed
}

// LeftTempDirs returns what SweepTempDirs would remove.
func LeftTempDirs(parent string) (left []string) {
	if parent == "" {
		parent = TempRoot()
	}
	for _, what := range tempKinds {
		left = append(left, leftBelow(parent, "ralph-"+what+"-", time.Now())...)
	}
	return left
}

// removeLeft removes folders of that name that are no longer in use; another user's
// stay. A probe has its record in its folder: what is left of its processes is ended.
func removeLeft(parent, prefix string, now time.Time) (removed []string) {
	for _, dir := range leftBelow(parent, prefix, now) {
		if _, err := Recover(context.Background(), dir); err != nil {
			continue // its processes cannot be ended now
		}
		if os.RemoveAll(dir) == nil {
			removed = append(removed, dir)
		}
	}
	return removed
}

func leftBelow(parent, prefix string, now time.Time) (left []string) {
	all, _ := filepath.Glob(filepath.Join(globEscape(parent), prefix+"*"))
	for _, dir := range all {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || !ours(info) {
			continue
		}
		age := now.Sub(info.ModTime())
		if age > leftAfter || lockable(dir, prefix) && age > beforeLock && unlocked(dir) {
			left = append(left, dir)
		}
	}
	return left
}

// beforeLock is more time than a process needs between the making of its folder and the lock.
const beforeLock = time.Second

// lockable reports whether the name is that of a folder whose process holds a lock: those of
// earlier versions have no pid in their names, and no lock.
func lockable(dir, prefix string) bool {
	pid, _, is := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
	_, err := strconv.Atoi(pid)
	return is && err == nil
}

func globEscape(path string) string {
	return strings.NewReplacer("*", "\\*", "?", "\\?", "[", "\\[", "\\", "\\\\").Replace(path)
}
