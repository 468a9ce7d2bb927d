//go:build !linux

package gate

import (
	"io/fs"
	"time"
)

// changedAt is when the file was last written, as it says itself.
func changedAt(info fs.FileInfo) time.Time { return info.ModTime() }
