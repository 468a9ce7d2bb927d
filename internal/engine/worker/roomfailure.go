package worker

import (
	"io"
	"os"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// crossDevice are words for what layers refuse and directories do not: to rename a
// directory that was there before.
var crossDevice = []string{"cross-device link", "EXDEV", "Errno 18"}

// failedByRoom reports whether a gate may have failed by its room, or for want of
// space in memory or on a disk: it runs again, in a tree that is made anew.
func failedByRoom(r loop.Result) bool {
	if r.Verdict == loop.Passed {
		return false
	}
	output := said(r)
	layers := r.Room == loop.RoomOverlay || r.Room == loop.RoomOverlayDisk
	return saysNoSpace(output) || layers && slices.ContainsFunc(crossDevice, func(word string) bool { return strings.Contains(output, word) })
}

// said is the output of a gate as far as it tells why the gate failed.
func said(r loop.Result) string { return r.Excerpt + ending(r.OutputFile) }

// ending is the last part of a file, "" where it cannot be read.
func ending(file string) string {
	const most = 64 << 10
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd)
	}
	data, _ := io.ReadAll(io.LimitReader(f, most))
	return string(data)
}
