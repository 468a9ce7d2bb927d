//go:build !linux

package room

import (
	"errors"
	"os"
)

// Enter is not available: there are no mount namespaces on this system.
func (s Spec) Enter() (*os.File, error) { return nil, errors.ErrUnsupported }
