package stream

import (
	"strconv"
	"strings"
	"time"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

var (
	// comesBack matches how providers and programs word the time to wait in an error:
	// "Please try again in 6m0s", "Retry-After: 3600", "retryDelay": "35s".
	comesBack = lazyregexp.New(`(?i)(?:retry[-_ ]?(?:after|delay|in)|try again (?:in|after)|come back in|resets? (?:in|after)|wait(?: for| at least)?)["']?\s*[:=]?\s*["']?((?:\d{1,7}(?:\.\d+)?\s*(?:milliseconds?|ms|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)?[ ,]*(?:and )?)+)`)
	waitPart  = lazyregexp.New(`(?i)(\d{1,7}(?:\.\d+)?)\s*(milliseconds?|ms|[dhms])?`)
)

// longestWait bounds what is believed: no provider has a longer window than a week.
const longestWait = 8 * 24 * time.Hour

// withReset adds when the provider serves again, as the error itself words it. That the
// provider throttles or is at its limit was found out before, and never from words.
func (v Verdict) withReset(now time.Time) Verdict {
	if !v.ResetAt.IsZero() || v.Provider != loop.Throttled && v.Provider != loop.Limited {
		return v
	}
	m := comesBack.FindStringSubmatch(v.Message)
	if m == nil {
		return v
	}
	if wait := waitOf(m[1]); wait > 0 && wait <= longestWait {
		v.ResetAt = now.Add(wait)
	}
	return v
}

// waitOf sums a duration: "1h2m", "3 hours and 5 minutes", "20ms". A bare number is
// one of seconds, as in the header of HTTP.
func waitOf(words string) (d time.Duration) {
	units := map[string]time.Duration{"": time.Second, "d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second, "ms": time.Millisecond, "milliseconds": time.Millisecond, "millisecond": time.Millisecond}
	for _, m := range waitPart.FindAllStringSubmatch(words, -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0
		}
		d += time.Duration(n * float64(units[strings.ToLower(m[2])]))
	}
	return d
}
