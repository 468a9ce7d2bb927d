//go:build !linux

package sandbox

import (
	"errors"
	"os"
)

// Other systems have no sandbox, so that nothing needs a placeholder.
var errReadOnly = errors.New("read-only file system")

func share(*os.File) {}

func alone(*os.File) bool { return false }
