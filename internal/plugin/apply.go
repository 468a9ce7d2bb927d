package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/durable"

	"github.com/rogpeppe/go-internal/diff"
)

// Change is the change to one file.
type Change struct {
	Path string
	// Kind is created, changed, removed or unchanged.
	Kind string
	// Diff is a unified diff, "" without a difference.
	Diff string
	// Backup is a copy of the file before ralph first changed it.
	Backup string
	// Kept names entries that stayed although they differ from ralph's.
	Kept []string

	old, text []byte
	had       bool
	part      Part
	mode      fs.FileMode
	// uninstalling: no backup is needed.
	uninstalling bool
}

// backupSuffix ends the name of a backup.
const backupSuffix = ".before-ralph"

// FileError names the file that failed.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// Install adds what is missing. It writes nothing if any file fails, or if dry is
// set.
func Install(p Plan, dry bool) ([]Change, error) {
	changes, err := each(p, func(c *Change) error {
		text, kept, err := c.part.add(c.old)
		c.text, c.Kept = text, kept
		return err
	})
	if err != nil || dry {
		return changes, err
	}
	for _, dir := range p.Dirs {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return changes, write(changes)
}

// Uninstall removes what Install adds. A file that did not change since Install is
// restored byte for byte.
func Uninstall(p Plan, dry bool) ([]Change, error) {
	changes, err := each(p, func(c *Change) error {
		if !c.had {
			return nil
		}
		c.uninstalling = true
		before, err := os.ReadFile(c.backup())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			if now, _, err := c.part.add(before); err == nil && bytes.Equal(now, c.old) {
				c.text = before
				return nil
			}
		}
		c.text, c.Kept, err = c.part.remove(c.old, before)
		return err
	})
	if err != nil || dry {
		return changes, err
	}
	return changes, errors.Join(write(changes), tidy(changes))
}

// each reads every file of a plan and edits it.
func each(p Plan, edit func(*Change) error) ([]Change, error) {
	changes := make([]Change, 0, len(p.Parts))
	for _, part := range p.Parts {
		c, err := read(part)
		if err == nil {
			err = edit(&c)
		}
		if err != nil {
			return nil, &FileError{part.path(), err}
		}
		c.describe()
		changes = append(changes, c)
	}
	return changes, nil
}

// read reads the file of a part. It follows links, which users have for their
// settings, but not out of the part's root.
func read(p Part) (Change, error) {
	c := Change{Path: p.path(), part: p, mode: 0o644}
	root, err := filepath.EvalSymlinks(p.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	real, err := filepath.EvalSymlinks(c.Path)
	if errors.Is(err, fs.ErrNotExist) {
		if info, err := os.Lstat(c.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return c, errors.New("it is a link to nowhere")
		}
		return c, parents(p.Root, root, c.Path)
	}
	if err != nil {
		return c, err
	}
	if !below(root, real) {
		return c, fmt.Errorf("it is a link out of %s, to %s", p.Root, real)
	}
	c.Path = real
	info, err := os.Stat(real)
	if err != nil {
		return c, err
	}
	if !info.Mode().IsRegular() {
		return c, errors.New("it is not a regular file")
	}
	c.mode, c.had = info.Mode().Perm(), true
	c.old, err = os.ReadFile(real)
	if c.old == nil {
		c.old = []byte{}
	}
	return c, err
}

// parents checks the folders of a new file.
func parents(root, real, path string) error {
	dir := filepath.Dir(path)
	for ; dir != root && len(dir) > len(root); dir = filepath.Dir(dir) {
		to, err := filepath.EvalSymlinks(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !below(real, to) {
			err = fmt.Errorf("its folder is a link out of %s, to %s", root, to)
		}
		return err
	}
	return nil
}

func below(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (c *Change) backup() string { return c.Path + backupSuffix }

// describe sets Kind and Diff.
func (c *Change) describe() {
	switch {
	case !c.had && c.text == nil, c.had && bytes.Equal(c.old, c.text) && c.text != nil:
		c.Kind = "unchanged"
		return
	case !c.had:
		c.Kind = "created"
	case c.text == nil:
		c.Kind = "removed"
	default:
		c.Kind = "changed"
	}
	c.Diff = string(diff.Diff(c.Path, c.old, c.Path, c.text))
}

// write writes changes, each file whole or not at all.
func write(changes []Change) error {
	for i := range changes {
		if err := changes[i].write(); err != nil {
			return &FileError{changes[i].Path, err}
		}
	}
	return nil
}

func (c *Change) write() error {
	if c.Kind == "unchanged" {
		return nil
	}
	if err := c.unchanged(); err != nil {
		return err
	}
	switch c.Kind {
	case "removed":
		return os.Remove(c.Path)
	case "changed":
		if err := c.keep(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	return durable.Replace(c.Path, c.text, c.mode)
}

// unchanged returns an error if the file changed since it was read.
func (c *Change) unchanged() error {
	now, err := os.ReadFile(c.Path)
	if errors.Is(err, fs.ErrNotExist) && !c.had {
		return nil
	}
	if err == nil && (!c.had || !bytes.Equal(now, c.old)) {
		err = errors.New("it has changed meanwhile; nothing was written to it, try again")
	}
	return err
}

// keep makes the backup, unless there is one.
func (c *Change) keep() error {
	if _, own := c.part.edit.(whole); own || c.uninstalling {
		return nil
	}
	f, err := os.OpenFile(c.backup(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, c.mode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep a copy: %w", err)
	}
	_, err = f.Write(c.old)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(fmt.Errorf("keep a copy: %w", err), os.Remove(f.Name()))
	}
	c.Backup = c.backup()
	return nil
}

// tidy removes backups and folders that became empty after an uninstall.
func tidy(changes []Change) error {
	var all error
	for _, c := range changes {
		if len(c.Kept) == 0 {
			if err := os.Remove(c.backup()); err != nil && !errors.Is(err, fs.ErrNotExist) {
				all = errors.Join(all, err)
			}
		}
		if c.Kind != "removed" {
			continue
		}
		for dir := filepath.Dir(c.Path); below(c.part.Root, dir) && dir != c.part.Root; dir = filepath.Dir(dir) {
			if os.Remove(dir) != nil {
				break // it holds something else
			}
		}
	}
	return all
}
