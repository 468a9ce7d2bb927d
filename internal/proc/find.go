//go:build linux || darwin

package proc

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Find returns the file that a command would start in env.
func Find(env []string, name string) (string, error) { return findIn(env, name) }

// findIn finds the file of a command in the PATH of env. A name with a slash is
// left to the kernel, which takes it relative to the child's directory. Relative
// entries of PATH are ignored: they would run files that an agent put into the
// work tree.
func findIn(env []string, name string) (string, error) {
	if strings.Contains(name, "/") {
		return name, nil
	}
	path := valueOf(env, "PATH")
	err := fs.ErrNotExist
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		info, statErr := os.Stat(file)
		if statErr != nil || info.IsDir() {
			continue
		}
		if info.Mode()&0o111 != 0 {
			return file, nil
		}
		err = fs.ErrPermission
	}
	return "", fmt.Errorf("find %s in PATH %q: %w", name, path, err)
}

// valueOf returns the last value of a variable, like getenv in a shell.
func valueOf(env []string, name string) (value string) {
	for _, entry := range env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}
