package agentloop

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

// inTree is a path that was typed, below the root of the tree. Git's own folder
// is not part of it.
func (c *Commands) inTree(p *project.Project, name string) (string, error) {
	local := filepath.FromSlash(name)
	if filepath.IsAbs(local) {
		rel, err := filepath.Rel(p.Repo.Root, local)
		if err != nil {
			return "", outside(name)
		}
		local = rel
	} else {
		local = filepath.Clean(filepath.Join(filepath.FromSlash(p.Repo.Prefix), local))
	}
	if !filepath.IsLocal(local) {
		return "", outside(name)
	}
	for part := range strings.SplitSeq(filepath.ToSlash(local), "/") {
		if strings.EqualFold(part, ".git") {
			return "", outside(name)
		}
	}
	return filepath.ToSlash(local), nil
}

func outside(name string) error {
	return exit.UsageError("name a file of this tree", "%s is not in this tree", name)
}

// openInTree opens a regular file of the tree; no link leads out of it, and
// nothing that would wait for another process is opened.
func (c *Commands) openInTree(p *project.Project, name string) (f *os.File, rel string, err error) {
	if rel, err = c.inTree(p, name); err != nil {
		return nil, rel, err
	}
	root, err := os.OpenRoot(p.Repo.Root)
	if err != nil {
		return nil, rel, err
	}
	defer root.Close()
	info, err := root.Stat(rel)
	if err == nil {
		if err = sendable(info); err == nil {
			f, err = root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		}
	}
	if err == nil {
		// What stands there may have been swapped meanwhile.
		if info, err = f.Stat(); err == nil {
			err = sendable(info)
		}
	}
	if err == nil {
		return f, rel, nil
	}
	if f != nil {
		_ = f.Close()
	}
	if errors.Is(err, engine.ErrLargeArtifact) {
		return nil, rel, err
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return nil, rel, exit.UsageError("name a regular file of this tree", "publish %s: %v", name, err)
}

func sendable(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return errors.New("it is no regular file")
	case info.Size() > loop.MaxArtifact:
		return fmt.Errorf("%w: %d bytes, at most %d", engine.ErrLargeArtifact, info.Size(), loop.MaxArtifact)
	}
	return nil
}

// treeFile is a file that is being written into the tree. It gets its name when it
// is complete.
type treeFile struct {
	root *os.Root
	file *os.File
	// path is the name it will have, half the one it has meanwhile.
	path, half string
}

// placeInTree makes room for a file. dest may be a folder, or "" for the working
// directory. What is there stays, unless force is set.
func (c *Commands) placeInTree(p *project.Project, dest, original string, force bool) (*treeFile, error) {
	base := path.Base(original)
	rel, err := c.inTree(p, dest)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(p.Repo.Root)
	if err != nil {
		return nil, err
	}
	w := &treeFile{root: root, path: rel}
	if info, err := root.Stat(rel); err == nil && info.IsDir() {
		w.path = path.Join(rel, base)
	} else if strings.HasSuffix(dest, "/") {
		w.discard()
		return nil, exit.UsageError("make the folder first", "there is no folder %s", dest)
	}
	if err := w.open(force); err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

func (w *treeFile) open(force bool) error {
	switch info, err := w.root.Lstat(w.path); {
	case err == nil && info.IsDir():
		return exit.UsageError("name a file", "%s is a folder", w.path)
	case err == nil && !force:
		return exit.UsageError("name another file, or replace it with --force", "%s is there already", w.path)
	}
	b := make([]byte, 6)
	_, _ = rand.Read(b)
	w.half = path.Join(path.Dir(w.path), ".ralph-"+hex.EncodeToString(b)+".tmp")
	f, err := w.root.OpenFile(w.half, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return exit.UsageError("name a file in a folder that is there", "write %s: %v", w.path, err)
	}
	w.file = f
	return nil
}

// keep gives the file its name. A link puts it nowhere where something is; what
// is replaced with force is replaced in one step.
func (w *treeFile) keep(force bool) error {
	if err := errors.Join(w.file.Sync(), w.file.Close()); err != nil {
		return err
	}
	if force {
		return w.root.Rename(w.half, w.path)
	}
	err := w.root.Link(w.half, w.path)
	if _, there := w.root.Lstat(w.path); err != nil && there != nil {
		return w.root.Rename(w.half, w.path) // a disk without links
	}
	if errors.Is(err, fs.ErrExist) {
		return exit.UsageError("name another file, or replace it with --force", "%s is there already", w.path)
	}
	return err
}

// discard takes away what was not kept.
func (w *treeFile) discard() {
	if w.file != nil {
		_ = w.file.Close()
		_ = w.root.Remove(w.half)
	}
	_ = w.root.Close()
}
