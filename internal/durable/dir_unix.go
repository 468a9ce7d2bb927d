//go:build unix

package durable

import (
	"errors"
	"os"
)

// SyncDir makes the names in a directory durable: what was made, renamed or removed
// there. Where a system cannot do that it does nothing.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
