package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/gate/testout"
)

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

// readJUnit merges the fresh reports. Stale ones, of classes that are gone,
// are passed over as long as there is a fresh one.
func readJUnit(t *tree, b before, pattern string) (testout.Report, error) {
	names, err := junitFiles(t, pattern)
	if err != nil {
		return testout.Report{}, err
	}
	var all testout.Report
	found := false
	why := errAbsent
	for _, n := range names {
		if err := b.fresh(t, n); err != nil {
			why = err
			continue
		}
		r, err := readJUnitFile(t, n)
		if err != nil {
			return testout.Report{}, err
		}
		all, found = all.Merge(r), true
	}
	if !found {
		return testout.Report{}, fmt.Errorf("report %s %w", pattern, why)
	}
	return all, nil
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
