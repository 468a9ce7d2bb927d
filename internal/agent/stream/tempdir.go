package stream

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// tempPrefix begins the names of the folders that agents get for their
// temporary files.
const tempPrefix = "ralph-agent-"

// forgotten is how old such a folder is when nobody can be using it any more.
const forgotten = 7 * 24 * time.Hour

// tempDir makes a folder for the temporary files of one run, below parent (the
// system's, where that is empty). Programs leave megabytes there with every run.
// Folders that a killed ralph has left are removed on the way. It is not below
// the loop's own directory: that lies inside of a .git, where no tool expects
// to work.
func tempDir(parent string, now time.Time) (string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	old, _ := filepath.Glob(filepath.Join(parent, tempPrefix+"*"))
	for _, dir := range old {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && now.Sub(info.ModTime()) > forgotten {
			_ = os.RemoveAll(dir) // somebody else's stays
		}
	}
	dir, err := os.MkdirTemp(parent, tempPrefix)
	if err != nil {
		return "", fmt.Errorf("make a folder for the agent's temporary files: %w", err)
	}
	return dir, nil
}
