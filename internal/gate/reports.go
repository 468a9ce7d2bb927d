package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/gate/testout"
)

// before records the reports as they were when the gate started.
type before struct {
	start time.Time
	seen  map[string]fs.FileInfo
}

// coarse is how far a file's time may lag behind the clock: file systems round it
// down, some to two seconds. An older file is recognised by not having changed.
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

// fresh returns why the gate's command did not write the file; nil if it did.
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
	// Not by identity: a file has another number in the layers of a room.
	case was && old.ModTime().Equal(info.ModTime()) && old.Size() == info.Size():
		if info.ModTime().Before(b.start.Add(-coarse)) {
			return errOlder
		}
		return errUntouched
	case info.ModTime().Before(b.start.Add(-coarse)):
		return errOlder
	}
	return nil
}

// junitFiles expands a report's path, which may be a pattern: Surefire writes
// one report for each class.
func junitFiles(t *tree, pattern string) ([]string, error) {
	name, err := t.name(pattern)
	if err != nil {
		return nil, err
	}
	names, err := doublestar.Glob(t.root.FS(), name, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", pattern, err)
	}
	if _, err := t.root.Lstat(name); err == nil && !slices.Contains(names, name) {
		names = append(names, name) // a name with brackets in it
	}
	return names, nil
}

// readJUnit merges the fresh reports. Stale ones, of deleted classes, are ignored
// as long as there is a fresh one.
func readJUnit(t *tree, b before, pattern string) (testout.Report, error) {
	names, err := junitFiles(t, pattern)
	if err != nil {
		return testout.Report{}, err
	}
	all, stale, err := mergeJUnit(t, b, names)
	if stale != nil {
		err = fmt.Errorf("report %s %w", pattern, stale)
	}
	return all, err
}

// mergeJUnit merges those of the reports that are fresh; stale is why none is.
func mergeJUnit(t *tree, b before, names []string) (all testout.Report, stale, err error) {
	found, why := false, errAbsent
	for _, n := range names {
		if err := b.fresh(t, n); err != nil {
			why = err
			continue
		}
		r, err := readJUnitFile(t, n)
		if err != nil {
			return testout.Report{}, nil, err
		}
		all, found = all.Merge(r), true
	}
	if !found {
		return testout.Report{}, why, nil
	}
	return all, nil, nil
}

func readJUnitFile(t *tree, name string) (testout.Report, error) {
	data, err := t.read(name, testout.MaxJUnit)
	if errors.Is(err, fs.ErrNotExist) {
		return testout.Report{}, fmt.Errorf("report %s %w", name, errAbsent)
	}
	if err != nil {
		return testout.Report{}, fmt.Errorf("report %s: %w", name, err)
	}
	r, err := testout.JUnitXML(data)
	if err != nil {
		return testout.Report{}, fmt.Errorf("report %s: %w", name, err)
	}
	return r, nil
}

// junitOutput reads a report that was printed, from the log.
func junitOutput(log string) (testout.Report, error) {
	data, err := os.ReadFile(log) // its size is bounded by the capture
	if err != nil {
		return testout.Report{}, fmt.Errorf("read log: %w", err)
	}
	return testout.JUnitXML(data)
}
