package sandbox

import (
	"os"
	"path/filepath"

	"ralph/internal/proc"
)

// walls are the Landlock rules for a profile.
func (p Profile) walls() *proc.Walls {
	w := &proc.Walls{Files: devices()}
	c := p.claims()
	for _, dir := range append(hidden(), "/dev/shm", "/dev/pts", "/dev/mqueue", p.Temp) {
		if r, ok := real(dir); ok {
			if !c.has(r) {
				c.add(claim{path: r, write: true})
			}
		}
	}
	for _, x := range c.sorted() {
		if x.write {
			c.open(w, x.path)
		}
	}
	return w
}

// open allows a folder, or where something in it is not to be written, each of
// its entries that leads elsewhere. What is made there later stays closed.
func (c claims) open(w *proc.Walls, path string) {
	info, err := os.Lstat(path)
	switch {
	case err != nil || info.Mode()&os.ModeSymlink != 0:
	case !info.IsDir():
		w.Files = append(w.Files, path)
	case !c.locked(path):
		w.Dirs = append(w.Dirs, path)
	default:
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			below := filepath.Join(path, e.Name())
			if !c.has(below) {
				c.open(w, below)
			}
		}
	}
}

// devices that every program may write to.
func devices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx"}
}
