//go:build !linux

package git

import (
	"os"
	"time"
)

func changeTime(info os.FileInfo) time.Time { return info.ModTime() }

func inode(os.FileInfo) uint64 { return 0 }
