// Package durable replaces files so that each is there whole, old or new, also after
// a kill, a full disk or a power cut.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Write is Replace for a file of ours, 0600, in a directory that need not exist.
func Write(path string, data []byte) error {
	if err := MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return Replace(path, data, 0o600)
}

// Replace puts a file in the place of another one or of none, with this mode whatever
// the umask is. Both the file and its name are on the disk when it returns. A
// temporary file that a kill leaves is hidden and in the same directory until
// RemoveTemporary.
func Replace(path string, data []byte, mode fs.FileMode) error {
	dir := filepath.Dir(path)
	before, after := temporary(path)
	f, err := os.CreateTemp(dir, before+"*"+after)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0o600 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncDir(dir)
}

// temporary is the name of a file's temporary files, around a number.
func temporary(path string) (before, after string) {
	return "." + filepath.Base(path) + ".ralph-", ".tmp"
}

// RemoveTemporary removes the temporary files that killed processes left of Replace.
// Only the process that alone may write the file calls it.
func RemoveTemporary(path string) {
	dir := filepath.Dir(path)
	all, err := os.ReadDir(dir)
	if err != nil {
		return // reading the file itself reports it
	}
	before, after := temporary(path)
	for _, f := range all {
		id, ok := strings.CutPrefix(f.Name(), before)
		id, is := strings.CutSuffix(id, after)
		if n, err := strconv.ParseUint(id, 10, 32); ok && is && err == nil && strconv.FormatUint(n, 10) == id && f.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, f.Name())) // the next run tries again
		}
	}
}
