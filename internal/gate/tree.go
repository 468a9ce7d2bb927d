package gate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// tree is the judged tree, seen from the gate's folder. Nothing outside of the
// root is ever opened, whatever links point to.
type tree struct {
	root *os.Root
	path string // the root, absolute
	dir  string // the gate's folder below it, with slashes
}

func openTree(root, dir string) (*tree, error) {
	if dir == "" {
		dir = "."
	}
	if !filepath.IsLocal(filepath.FromSlash(dir)) {
		return nil, fmt.Errorf("the folder %q is not inside the tree", dir)
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open tree: %w", err)
	}
	t := &tree{root: r, path: root, dir: filepath.ToSlash(filepath.Clean(dir))}
	info, err := r.Stat(t.dir)
	if err != nil || !info.IsDir() {
		_ = r.Close()
		return nil, fmt.Errorf("there is no folder %s in the tree", dir)
	}
	return t, nil
}

// moveTo reads the tree from a descriptor from now on: what a command left in a
// room stands only there.
func (t *tree) moveTo(f *os.File) error {
	defer f.Close()
	r, err := os.OpenRoot("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
	if err != nil {
		return fmt.Errorf("open the tree of the room: %w", err)
	}
	t.close()
	t.root = r
	return nil
}

func (t *tree) close() { _ = t.root.Close() }

// abs returns the gate's folder.
func (t *tree) abs() string { return filepath.Join(t.path, filepath.FromSlash(t.dir)) }

// name converts a path that is relative to the gate's folder, or absolute inside
// the tree, into one below the root.
func (t *tree) name(p string) (string, error) {
	p = filepath.FromSlash(p)
	if filepath.IsAbs(p) {
		rel, err := filepath.Rel(t.path, p)
		if err != nil {
			return "", fmt.Errorf("%s is not inside the tree", p)
		}
		p = rel
	} else {
		p = filepath.Join(filepath.FromSlash(t.dir), p)
	}
	if !filepath.IsLocal(p) {
		return "", fmt.Errorf("%s is not inside the tree", p)
	}
	return filepath.ToSlash(p), nil
}

var errNotRegular = errors.New("it is not a regular file")

// stat follows links inside the tree.
func (t *tree) stat(name string) (fs.FileInfo, error) {
	info, err := t.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return info, nil
}

// read returns a file of at most max bytes.
func (t *tree) read(name string, max int64) ([]byte, error) {
	if _, err := t.stat(name); err != nil {
		return nil, err
	}
	f, err := t.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(data)) > max {
		err = fmt.Errorf("it is larger than %d bytes", max)
	}
	return data, err
}
