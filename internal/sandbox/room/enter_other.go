//go:build !linux

package room

import (
	"errors"
	"os"
)

// Opened returns nothing: nothing is watched.
func (s Spec) Opened(*os.File) []string { return nil }

// Enter is not available: there are no mount namespaces on this system.
func (s Spec) Enter() (*os.File, error) { return nil, errors.ErrUnsupported }
