package stream

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestTheWordsOfAnErrorTellTheWait: only where the provider is known to throttle, or
// its limit to be reached, and only times that can be.
func TestTheWordsOfAnErrorTellTheWait(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for message, want := range map[string]time.Duration{
		"Rate limit reached for x. Please try again in 6m0s.":   6 * time.Minute,
		"429 Too Many Requests, Retry-After: 3600":              time.Hour,
		`{"@type": "RetryInfo", "retryDelay": "35.5s"}`:         35*time.Second + 500*time.Millisecond,
		"Please retry in 20ms":                                  20 * time.Millisecond,
		"try again in 3 hours and 5 minutes":                    3*time.Hour + 5*time.Minute,
		"try again in 1 day, 2 hours.":                          26 * time.Hour,
		"quota exceeded; resets in 1h30m":                       90 * time.Minute,
		"wait for 90 seconds":                                   90 * time.Second,
		"too many requests":                                     0,
		"try again in 4000000 hours":                            0,
		"try again later; request 12345 failed after 3 retries": 0,
	} {
		got := Throttled(time.Time{}, message).withReset(now)
		if want == 0 && !got.ResetAt.IsZero() || want > 0 && !got.ResetAt.Equal(now.Add(want)) {
			t.Errorf("%s: %v", message, got.ResetAt.Sub(now))
		}
		if got := Failed(message).withReset(now); !got.ResetAt.IsZero() {
			t.Errorf("%s, of another error: %v", message, got.ResetAt)
		}
	}
	known := Verdict{End: loop.EndLimit, Provider: loop.Limited, ResetAt: now.Add(time.Minute), Message: "try again in 2h"}
	if got := known.withReset(now); !got.ResetAt.Equal(known.ResetAt) {
		t.Errorf("a known time was replaced by %v", got.ResetAt)
	}
}
