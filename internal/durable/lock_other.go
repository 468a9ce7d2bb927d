//go:build !unix

package durable

import (
	"errors"
	"os"
)

// TryLock fails with errors.ErrUnsupported.
func TryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
