package store

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Prepare makes the directory of a store, without its database. One that another
// user could write is an error.
func Prepare(dir string) error {
	_, err := place(dir, true)
	return err
}

// place checks that the directory is ours alone. With create it is made.
func place(dir string, create bool) (exists bool, err error) {
	fi, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err := os.MkdirAll(filepath.Join(dir, "loops"), 0o700); err != nil {
			if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
				return false, &ClosedError{dir, err}
			}
			return false, fmt.Errorf("make %s: %w", dir, err)
		}
		fi, err = os.Lstat(dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at %s: %w", dir, err)
	}
	return true, safe(dir, fi)
}

// safe refuses a path that another user could swap or write.
func safe(path string, fi fs.FileInfo) error {
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		return &UnsafeError{path, "is a symbolic link"}
	case !fi.IsDir():
		return &UnsafeError{path, "is not a directory"}
	}
	if why := foreign(fi); why != "" {
		return &UnsafeError{path, why}
	}
	return nil
}

// address returns the file as an SQLite URI; its path may hold any bytes.
func address(path, query string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return "file://" + (&url.URL{Path: p}).EscapedPath() + "?" + query
}

func (s *Store) dbPath() string { return filepath.Join(s.dir, s.file) }

// LoopDir is where a loop's big files go, whether or not the loop exists.
func (s *Store) LoopDir(id string) string { return s.loopDir(id) }

func (s *Store) loopDir(id string) string { return s.runDir(loopRuns, id) }

func (s *Store) archiveDir(id string) string { return filepath.Join(s.dir, "archive", id) }
