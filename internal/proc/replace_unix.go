//go:build unix

package proc

import (
	"fmt"
	"os"
	"syscall"
)

// Replace makes this process another program, in a directory and with the whole
// environment given. It returns only where that fails.
func Replace(program string, args []string, dir string, env []string) (code int, err error) {
	if err := os.Chdir(dir); err != nil {
		return 0, err
	}
	closeAllOnExec()
	return 0, fmt.Errorf("execute %s: %w", program, syscall.Exec(program, append([]string{program}, args...), env))
}
