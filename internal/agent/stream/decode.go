package stream

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// Decode reads a program's output. A field of another type costs that field
// only: programs change theirs from one version to the next, and the meaning of
// a line (a spent quota, a success, its cost) must not depend on the field
// beside it. It reports whether the text is JSON.
func Decode(text []byte, v any) bool {
	err := json.Unmarshal(text, v) // continues after a field that does not fit
	_, odd := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || odd
}

// Count is a whole number, also one written as a string, or with a fraction,
// which is rounded up. An unreadable one is negative, and so impossible (see
// loop.Usage.Sound): it is unknown, not zero.
type Count int64

// UnmarshalJSON never fails.
func (c *Count) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	plain := unquoted(text)
	if n, err := strconv.ParseInt(plain, 10, 64); err == nil {
		*c = Count(n)
		return nil
	}
	*c = -1
	if f := math.Ceil(number(plain)); f >= 0 {
		*c = math.MaxInt64
		if f < math.MaxInt64 {
			*c = Count(f)
		}
	}
	return nil
}

// Int returns the count for loop.Usage.
func (c Count) Int() *int64 { return new(int64(c)) }

// Amount is a number that may have a fraction, such as dollars, also one written
// as a string. An unreadable one is not a number (math.IsNaN).
type Amount float64

// UnmarshalJSON never fails.
func (a *Amount) UnmarshalJSON(text []byte) error {
	if string(text) != "null" {
		*a = Amount(number(unquoted(text)))
	}
	return nil
}

// Flag is a boolean, also as a string or a number. An unreadable one is false.
type Flag bool

// UnmarshalJSON never fails.
func (f *Flag) UnmarshalJSON(text []byte) error {
	yes, err := strconv.ParseBool(unquoted(text))
	*f = Flag(err == nil && yes)
	return nil
}

// Moment is a time: a number as [Instant] reads it, or a string of that or of RFC
// 3339. An unreadable one is the zero time, which is unknown.
type Moment struct{ time.Time }

// UnmarshalJSON never fails.
func (m *Moment) UnmarshalJSON(text []byte) error {
	plain := unquoted(text)
	m.Time = instant(number(plain))
	if at, err := time.Parse(time.RFC3339, strings.Replace(plain, " ", "T", 1)); err == nil && sensible(at) {
		m.Time = at.UTC()
	}
	return nil
}

// unquoted returns the content of a string, or any other value as it is.
func unquoted(text []byte) string {
	var s string
	if json.Unmarshal(text, &s) != nil {
		s = string(text)
	}
	return strings.TrimSpace(s)
}

// number returns NaN for anything but a number in JSON's syntax.
func number(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// instant converts a number into a time: seconds since 1970, or milliseconds
// where seconds would be in the sixth millennium; a fraction rounds up to the
// next millisecond. An impossible date is unknown.
func instant(n float64) time.Time {
	const seconds, most = 100_000_000_000, 1e15
	if !(n > 0 && n < most) {
		return time.Time{}
	}
	if n < seconds {
		n *= 1000
	}
	at := time.UnixMilli(int64(math.Ceil(n))).UTC()
	if !sensible(at) {
		return time.Time{}
	}
	return at
}

// sensible times can be written as JSON again.
func sensible(at time.Time) bool { return at.Year() >= 1970 && at.Year() <= 9000 }
