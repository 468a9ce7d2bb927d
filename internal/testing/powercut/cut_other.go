//go:build !linux

package powercut

import "errors"

// Cut needs Linux.
func Cut(string) error { return errors.ErrUnsupported }
