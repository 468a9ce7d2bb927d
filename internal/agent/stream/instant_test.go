package stream

import (
	"math"
	"testing"
	"time"
)

func TestInstant(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	for n, want := range map[int64]time.Time{
		at.Unix():      at,
		at.UnixMilli(): at,
		at.UnixMicro(): {},
		at.UnixNano():  {},
		0:              {},
		-1:             {},
		math.MaxInt64:  {},
		math.MinInt64:  {},
		1:              time.Unix(1, 0).UTC(),
		99_999_999_999: time.Date(5138, 11, 16, 9, 46, 39, 0, time.UTC),
	} {
		got := Instant(n)
		if !got.Equal(want) {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
		if _, err := got.MarshalJSON(); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
}
