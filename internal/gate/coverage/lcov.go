package coverage

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// lcov sums the lines of all records: LH of LF, or the DA lines of a record
// that has no such totals. A record that does not end is an error.
func lcov(data []byte) (float64, error) { return percentOf(lcovFiles(data)) }

func lcovFiles(data []byte) ([]File, error) {
	var out []File
	var rec lcovRecord
	for raw := range bytes.Lines(data) {
		line := strings.TrimSpace(string(raw))
		if line == "end_of_record" {
			c, err := rec.count()
			if err != nil {
				return nil, err
			}
			out = append(out, File{rec.file, c.hit, c.found})
			rec = lcovRecord{}
			continue
		}
		if err := rec.line(line); err != nil {
			return nil, err
		}
	}
	if rec.open {
		return nil, fmt.Errorf("the record of %s does not end", rec.file)
	}
	return out, nil
}

type lcovCount struct{ hit, found int64 }

type lcovRecord struct {
	open           bool
	file           string
	lines          map[string]bool // DA: line number → hit
	hit, found     int64
	hasHit, hasAll bool
}

func (r *lcovRecord) line(s string) (err error) {
	key, value, _ := strings.Cut(s, ":")
	switch key {
	case "SF":
		r.open, r.file = true, value
	case "LF":
		r.found, err = strconv.ParseInt(value, 10, 64)
		r.hasAll = true
	case "LH":
		r.hit, err = strconv.ParseInt(value, 10, 64)
		r.hasHit = true
	case "DA":
		err = r.data(value)
	}
	if err != nil {
		return fmt.Errorf("line %q: %w", s, err)
	}
	return nil
}

// data is "line,count" with an optional checksum; a count may be negative in
// the output of some versions of gcov, which means 0.
func (r *lcovRecord) data(s string) error {
	number, rest, ok := strings.Cut(s, ",")
	if !ok {
		return fmt.Errorf("no count")
	}
	count, _, _ := strings.Cut(rest, ",")
	n, err := strconv.ParseFloat(count, 64)
	if err != nil {
		return err
	}
	if r.lines == nil {
		r.lines = map[string]bool{}
	}
	r.lines[number] = r.lines[number] || n > 0
	return nil
}

func (r *lcovRecord) count() (lcovCount, error) {
	if r.hasHit && r.hasAll {
		if r.hit < 0 || r.hit > r.found {
			return lcovCount{}, fmt.Errorf("%s: %d of %d lines hit", r.file, r.hit, r.found)
		}
		return lcovCount{r.hit, r.found}, nil
	}
	c := lcovCount{found: int64(len(r.lines))}
	for _, hit := range r.lines {
		if hit {
			c.hit++
		}
	}
	return c, nil
}
