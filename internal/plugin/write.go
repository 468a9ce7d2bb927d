package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// write makes changes happen, each file whole or not at all.
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
	if err := c.fresh(); err != nil {
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
	return replace(c.Path, c.text, c.mode)
}

// fresh: the file is still what the change was made from.
func (c *Change) fresh() error {
	now, err := os.ReadFile(c.Path)
	if errors.Is(err, fs.ErrNotExist) && !c.had {
		return nil
	}
	if err == nil && (!c.had || !bytes.Equal(now, c.old)) {
		err = errors.New("it has changed meanwhile; nothing was written to it, try again")
	}
	return err
}

// keep copies the file as it was before ralph first changed it.
func (c *Change) keep() error {
	if _, own := c.part.edit.(whole); own || c.leaving {
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

// replace writes a file beside the old one and renames it over that.
func replace(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".ralph-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// tidy removes what an uninstall leaves behind of an install: copies, and
// folders that have become empty.
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
