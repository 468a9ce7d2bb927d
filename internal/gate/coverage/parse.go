package coverage

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Parse reads a report.
func Parse(data []byte) (Value, error) {
	if len(data) > MaxSize {
		return Value{}, fmt.Errorf("read coverage report: larger than %d bytes", MaxSize)
	}
	f := detect(data)
	if f.total == nil {
		return Value{}, ErrUnknown
	}
	v, err := f.total(data)
	if errors.Is(err, ErrUnknown) {
		return Value{}, err
	}
	if err != nil {
		return Value{}, fmt.Errorf("read %s report: %w", f.name, err)
	}
	return Value{Percent: v, Format: f.name}, nil
}

// format is one kind of report: how its total is read, and, where it has them,
// the values of its files.
type format struct {
	name  string
	total func([]byte) (float64, error)
	files func([]byte) ([]File, error)
}

// detect inspects the first significant bytes. The zero format is unknown.
func detect(data []byte) format {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(data, []byte("mode: ")):
		return format{GoProfile, goProfile, goFiles}
	case bytes.HasPrefix(data, []byte("{")):
		return detectJSON(data)
	case bytes.HasPrefix(data, []byte("<")):
		return detectXML(data)
	case lcovLike(data):
		return format{"LCOV", lcov, lcovFiles}
	}
	return format{"text", textReport, nil}
}

func lcovLike(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), 64<<10)]) {
		s := strings.TrimSpace(string(line))
		if strings.HasPrefix(s, "SF:") {
			return true
		}
		if s != "" && !strings.HasPrefix(s, "TN:") && !strings.HasPrefix(s, "#") {
			return false
		}
	}
	return false
}

// Value is a measured line coverage.
type Value struct {
	// Percent is in [0, 100].
	Percent float64
	// Format names the kind of report, for people.
	Format string
	// Files is how many files were counted, where not all were; else 0.
	Files int
}

// MaxSize is the size above which a report is not read, in bytes.
const MaxSize = 64 << 20

// Errors that callers distinguish.
var (
	// ErrUnknown is returned when no format matches the report.
	ErrUnknown = errors.New("no known coverage format")
	// ErrEmpty is returned when the report covers nothing, so that it has no
	// percentage.
	ErrEmpty = errors.New("the report has no lines to cover")
)

// ratio returns covered of total in per cent.
func ratio(covered, total int64) (float64, error) {
	switch {
	case total == 0:
		return 0, ErrEmpty
	case covered < 0 || total < 0 || covered > total:
		return 0, fmt.Errorf("%d of %d lines covered", covered, total)
	}
	return 100 * float64(covered) / float64(total), nil
}

// percent reads a number such as "71.2" or "71.2%".
func percent(s string) (float64, error) {
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), "%"))
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("percentage %q is not a number", s)
	}
	return inRange(v)
}

func inRange(v float64) (float64, error) {
	if math.IsNaN(v) || v < 0 || v > 100 {
		return 0, fmt.Errorf("percentage %v is not between 0 and 100", v)
	}
	return v, nil
}

// File is a report's values for one file.
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

// errNoFiles is returned when the report has only a total.
var errNoFiles = errors.New("it has no values of single files")

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
		return nil, f.name, errNoFiles
	}
	files, err := f.files(data)
	if err != nil {
		return nil, f.name, fmt.Errorf("read %s report: %w", f.name, err)
	}
	if len(files) == 0 {
		return nil, f.name, errNoFiles
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

// percentOf returns the coverage of all files of a report together.
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
