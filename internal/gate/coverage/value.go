package coverage

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

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

// Errors that callers tell apart.
var (
	// ErrUnknown: no format recognises the report.
	ErrUnknown = errors.New("no known coverage format")
	// ErrEmpty: the report covers nothing at all, so it has no percentage.
	ErrEmpty = errors.New("the report has no lines to cover")
)

// ratio is covered of total in per cent.
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
		return 0, fmt.Errorf("percentage %q is no number", s)
	}
	return inRange(v)
}

func inRange(v float64) (float64, error) {
	if math.IsNaN(v) || v < 0 || v > 100 {
		return 0, fmt.Errorf("percentage %v is not between 0 and 100", v)
	}
	return v, nil
}
