//go:build linux

package local_test

import (
	"errors"
	"os"
	"path/filepath"
)

// fill leaves no room on the file system of dir.
func fill(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, ballast), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	block := make([]byte, 64<<10)
	for len(block) > 0 {
		if _, err := f.Write(block); err != nil {
			block = block[:len(block)/2]
		}
	}
}

const ballast = "ballast"

// empty makes room again. The file is cut first: a program that another test starts at
// this moment may hold the removed one open until it runs.
func empty(dir string) error {
	file := filepath.Join(dir, ballast)
	err := os.Truncate(file, 0)
	if err == nil {
		err = os.Remove(file)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
