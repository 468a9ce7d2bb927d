package demo

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A demonstration has a directory among the temporary files. When it is over
// it gets a marker, and the next demonstration deletes what has one. One that
// still runs, or is to be kept, has none.
const (
	placePattern = "ralph-demo-"
	placeMarker  = ".ralph-demo-may-be-deleted"
)

// newPlace makes the directory.
func (a *Commands) newPlace() (string, error) {
	// Real, since git shows real paths (on macOS /tmp is a link).
	tmp, err := filepath.EvalSymlinks(cmp.Or(a.Getenv("TMPDIR"), os.TempDir()))
	if err != nil {
		return "", fmt.Errorf("find the directory for temporary files: %w", err)
	}
	dir, err := os.MkdirTemp(tmp, placePattern)
	if err != nil {
		return "", fmt.Errorf("make a directory for the demonstration: %w", err)
	}
	return dir, nil
}

// deleteOldPlaces deletes the directories of earlier demonstrations.
func deleteOldPlaces(tmp string) {
	for _, old := range oldPlaces(tmp) {
		_ = os.RemoveAll(old) // what cannot be deleted is not in the way
	}
}

// oldPlaces are the directories with our marker and our user in it.
func oldPlaces(tmp string) []string {
	entries, err := os.ReadDir(tmp)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		dir := filepath.Join(tmp, e.Name())
		if e.IsDir() && strings.HasPrefix(e.Name(), placePattern) && marked(dir) {
			out = append(out, dir)
		}
	}
	return out
}

func marked(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, placeMarker))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, placeMarker))
	return err == nil && string(text) == markerText()
}

// markerText names the user: root can read everybody's.
func markerText() string { return "made by ralph demo for user " + strconv.Itoa(os.Getuid()) + "\n" }

// releasePlace lets the next demonstration delete this one.
func releasePlace(dir string) {
	_ = os.WriteFile(filepath.Join(dir, placeMarker), []byte(markerText()), 0o600)
}
