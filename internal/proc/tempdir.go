package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// leftAfter is the age at which a folder for temporary files is no longer in use: no
// process runs that long.
const leftAfter = 7 * 24 * time.Hour

// swept are the folders that this process has searched for what others left.
var swept sync.Map

// TempDir creates a folder for temporary files below parent (the system's where empty),
// named ralph-WHAT-*. Once in a process it also removes those that killed processes have
// left there a week ago.
func TempDir(parent, what string) (string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	prefix := "ralph-" + what + "-"
	if _, done := swept.LoadOrStore(filepath.Join(parent, prefix), true); !done {
		removeLeft(parent, prefix, time.Now())
	}
	dir, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return "", fmt.Errorf("make a folder for temporary files: %w", err)
	}
	return dir, nil
}

// removeLeft removes folders of that name that are no longer in use; another user's
// stay.
func removeLeft(parent, prefix string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(parent, prefix+"*"))
	for _, dir := range left {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && now.Sub(info.ModTime()) > leftAfter {
			_ = os.RemoveAll(dir)
		}
	}
}
