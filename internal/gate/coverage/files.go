package coverage

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// File is what a report says about one file.
type File struct {
	// Name is as the report has it: absolute, relative to anything, or an
	// import path.
	Name string
	// Covered of Total lines (in a Go profile: statements).
	Covered, Total int64
}

func (f *File) add(g File) { f.Covered, f.Total = f.Covered+g.Covered, f.Total+g.Total }

// GoProfile is the format whose files are named by import paths.
const GoProfile = "Go profile"

// ErrNoFiles: the report has only a total.
var ErrNoFiles = errors.New("it has no values of single files")

// Files reads the values of single files, and the format's name. A file may
// stand there several times.
func Files(data []byte) ([]File, string, error) {
	if len(data) > MaxSize {
		return nil, "", fmt.Errorf("read coverage report: larger than %d bytes", MaxSize)
	}
	f := detect(data)
	switch {
	case f.total == nil:
		return nil, "", ErrUnknown
	case f.files == nil:
		return nil, f.name, ErrNoFiles
	}
	files, err := f.files(data)
	if err != nil {
		return nil, f.name, fmt.Errorf("read %s report: %w", f.name, err)
	}
	if len(files) == 0 {
		return nil, f.name, ErrNoFiles
	}
	return files, f.name, nil
}

// Sum is the coverage of several files together.
func Sum(files []File, format string) (Value, error) {
	var sum File
	for _, f := range files {
		if f.Covered < 0 || f.Total < f.Covered {
			return Value{}, fmt.Errorf("%s: %d of %d lines covered", f.Name, f.Covered, f.Total)
		}
		sum.add(f)
	}
	v, err := ratio(sum.Covered, sum.Total)
	return Value{Percent: v, Format: format}, err
}

// percentOf is what all files of a report have covered together.
func percentOf(files []File, err error) (float64, error) {
	if err != nil {
		return 0, err
	}
	var sum File
	for _, f := range files {
		sum.add(f)
	}
	return ratio(sum.Covered, sum.Total)
}

// tallied counts lines by file, in the order of their names.
func tallied[K comparable](lines map[string]map[K]bool) []File {
	var out []File
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		covered, total := tally(lines[name])
		out = append(out, File{name, covered, total})
	}
	return out
}
