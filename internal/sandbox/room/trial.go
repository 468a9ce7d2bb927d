package room

import (
	"os"
	"path/filepath"
)

// Trial is a directory with which a machine shows whether layers work on it: a
// mount that succeeds proves little.
type Trial struct{ dir string }

// NewTrial fills an empty directory on the file system of which the layers will lie.
func NewTrial(dir string) (Trial, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Trial{}, err
	}
	for _, name := range []string{"lower/old", "keep", "scratch"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o700); err != nil {
			return Trial{dir}, err
		}
	}
	return Trial{dir}, os.WriteFile(filepath.Join(dir, "lower", "old", "file"), []byte("lower\n"), 0o600)
}

// Spec is a view of the trial's directory with a layer that is in memory, or on
// disk.
func (t Trial) Spec(disk bool) Spec {
	lower := filepath.Join(t.dir, "lower")
	m := Mount{Kind: Overlay, At: lower, From: []string{lower}}
	s := Spec{Scratch: filepath.Join(t.dir, "scratch")}
	if disk {
		m.Upper, s.Scratch = filepath.Join(t.dir, "keep"), ""
	}
	return s.With(m)
}

// Script does in a view what has failed on some machines: it changes a file,
// replaces a lower directory, moves a new one, and cannot take the layer off.
func (t Trial) Script() []string {
	return []string{"sh", "-ec", `cd "$1"
echo upper >old/file
rm -r old
mkdir old new
mv new moved
umount "$1" 2>/dev/null && exit 3
echo upper >mark
`, "sh", filepath.Join(t.dir, "lower")}
}

// Held reports whether the directory itself did not change.
func (t Trial) Held() bool {
	lower := filepath.Join(t.dir, "lower")
	text, err := os.ReadFile(filepath.Join(lower, "old", "file"))
	entries, _ := os.ReadDir(lower)
	return err == nil && string(text) == "lower\n" && len(entries) == 1
}
