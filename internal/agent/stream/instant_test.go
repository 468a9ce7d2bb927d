package stream

import (
	"math"
	"testing"
	"time"
)

func TestInstant(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	for n, want := range map[float64]time.Time{
		float64(at.Unix()):      at,
		float64(at.UnixMilli()): at,
		float64(at.UnixMicro()): {},
		float64(at.UnixNano()):  {},
		0:                       {},
		-1:                      {},
		math.MaxInt64:           {},
		math.MinInt64:           {},
		math.NaN():              {},
		math.Inf(1):             {},
		1e15:                    {},
		1795193114.75:           time.UnixMilli(1795193114750).UTC(),
		1:                       time.Unix(1, 0).UTC(),
		99_999_999_999:          time.Date(5138, 11, 16, 9, 46, 39, 0, time.UTC),
	} {
		got := instant(n)
		if !got.Equal(want) {
			t.Errorf("%v is %s, want %s", n, got, want)
		}
		if _, err := got.MarshalJSON(); err != nil {
			t.Errorf("%v: %v", n, err)
		}
	}
}
