package store

import (
	"errors"
	"io/fs"
	"syscall"
)

// foreign is unknown here: the file modes that Windows reports say nothing.
func foreign(fs.FileInfo) string { return "" }

// identity is not known here.
func identity(fs.FileInfo) string { return "" }

// outOfSpace reports whether a file could not be written because a disk is full:
// ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
func outOfSpace(err error) bool {
	return errors.Is(err, syscall.Errno(39)) || errors.Is(err, syscall.Errno(112))
}
