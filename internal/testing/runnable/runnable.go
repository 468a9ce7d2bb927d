// Package runnable writes the scripts that tests run as programs.
package runnable

import (
	"os"
	"syscall"
)

// Write writes a file that can be run at once. While a file is open for writing,
// a child that another test starts inherits it until its own exec; the kernel
// refuses to run the file as long ("text file busy", see go.dev/issue/22315). So no
// child is started meanwhile.
func Write(path, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(text), 0o755)
}
