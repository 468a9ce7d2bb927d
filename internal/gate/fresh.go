package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// before remembers what reports looked like when the gate started.
type before struct {
	start time.Time
	seen  map[string]fs.FileInfo
}

// coarse is how far a file's time may lag behind the clock that was read when
// the gate started: file systems round it down, some to two seconds. A file
// that is merely that old is still told apart by not having changed.
const coarse = 2 * time.Second

func remember(t *tree, start time.Time, names []string) before {
	b := before{start: start, seen: map[string]fs.FileInfo{}}
	for _, n := range names {
		if info, err := t.root.Stat(n); err == nil {
			b.seen[n] = info
		}
	}
	return b
}

// Why a report cannot be used.
var (
	errAbsent    = errors.New("was not written")
	errUntouched = errors.New("was there before and was not written again")
	errOlder     = errors.New("is older than the gate's start")
)

// fresh says why the file was not written by the gate's command; nil if it was.
func (b before) fresh(t *tree, name string) error {
	info, err := t.stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return errAbsent
	}
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	old, was := b.seen[name]
	switch {
	case was && os.SameFile(old, info) && old.ModTime().Equal(info.ModTime()) && old.Size() == info.Size():
		if info.ModTime().Before(b.start.Add(-coarse)) {
			return errOlder
		}
		return errUntouched
	case info.ModTime().Before(b.start.Add(-coarse)):
		return errOlder
	}
	return nil
}
