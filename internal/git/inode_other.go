//go:build !linux && !darwin

package git

import (
	"os"
	"time"
)

const tellsChange = false

func changeTime(info os.FileInfo) time.Time { return info.ModTime() }

func inode(os.FileInfo) uint64 { return 0 }
