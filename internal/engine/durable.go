package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// WriteDurably writes a file that an event is about to name, or that is frozen
// for the rest of the loop: it is there whole, or not at all, also after a kill,
// a full disk or a power cut.
func WriteDurably(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	half := fmt.Sprintf("%s.%d.tmp", path, os.Getpid()) // two checks of one loop may meet here
	err := writeSynced(half, data)
	if err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		_ = os.Remove(half)
		return err
	}
	return syncDir(dir)
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
