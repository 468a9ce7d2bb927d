package loop

import (
	"bytes"
	"strconv"
)

// Count is a number of tests that ran, without skipped ones; null in JSON is
// Unknown.
type Count int

// Unknown is the count of a runner that does not tell it. It is never estimated.
const Unknown Count = -1

// Known reports whether there is a number.
func (c Count) Known() bool { return c >= 0 }

// MarshalJSON writes the number, or null.
func (c Count) MarshalJSON() ([]byte, error) {
	if !c.Known() {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(c), 10), nil
}

// UnmarshalJSON reads the number, or null.
func (c *Count) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*c = Unknown
		return nil
	}
	n, err := strconv.Atoi(string(data))
	*c = Count(n)
	return err
}

// String is the number in words for people.
func (c Count) String() string {
	if !c.Known() {
		return "unknown"
	}
	return strconv.Itoa(int(c))
}
