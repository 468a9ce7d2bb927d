package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MkdirAll makes a folder of ours, 0700, and those above it. It makes no git directory: one
// that is not there was moved away by its user, who could not bring it back over a new one.
// Then the error is fs.ErrNotExist.
func MkdirAll(dir string) error {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if at == filepath.Dir(at) {
			break
		}
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if strings.HasSuffix(at, ".git") {
			return fmt.Errorf("the git directory %s is not there: %w", at, fs.ErrNotExist)
		}
	}
	return os.MkdirAll(dir, 0o700)
}
