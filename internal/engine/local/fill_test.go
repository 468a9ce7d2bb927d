//go:build linux

package local_test

import (
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
