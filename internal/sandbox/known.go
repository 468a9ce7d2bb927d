package sandbox

import (
	"os"
	"path/filepath"
	"sync"
)

// known are paths whose links were resolved while one profile is computed: the same few
// are asked for hundreds of times. A path that does not exist is looked up again, since
// ralph makes some meanwhile.
type known struct {
	mu    sync.Mutex
	paths map[string]string
	// home is the usable home behind the one that is named.
	home struct{ named, path string }
}

// real resolves the links of a path, once for a profile that was scanned.
func (p Profile) real(path string) (string, bool) {
	if p.known == nil || !filepath.IsAbs(path) || path != filepath.Clean(path) {
		return real(path)
	}
	p.known.mu.Lock()
	defer p.known.mu.Unlock()
	return p.known.real(path)
}

// real resolves the folder of a path, which is known more often than not, and then looks
// at the path itself only.
func (k *known) real(path string) (string, bool) {
	if r, ok := k.paths[path]; ok {
		return r, true
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path, true
	}
	dir, ok := k.real(dir)
	if !ok {
		return "", false
	}
	r := filepath.Join(dir, filepath.Base(path))
	info, err := os.Lstat(r)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		r, err = filepath.EvalSymlinks(r)
	}
	if err != nil {
		return "", false
	}
	k.paths[path] = r
	return r, true
}

// homeOf is findHome with a memory for one that was found.
func (k *known) homeOf(named string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.home.path == "" || k.home.named != named {
		k.home.named, k.home.path = named, findHome(named)
	}
	return k.home.path
}
