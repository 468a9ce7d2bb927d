package codex

import (
	"strconv"
	"strings"
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

// status matches its quote of a provider's response.
var status = lazyregexp.New(`^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b`)

// noModel is how its two providers refuse a model: those words are all that it
// passes on, without a status.
var noModel = lazyregexp.New("^The (?:requested )?(?:model )?[`'][^`']*[`'](?: model)? (?:does not exist|is not supported when using Codex)")

func (d *dialect) verdictOf(message string) stream.Verdict { return VerdictOf(message, d.now()) }

// VerdictOf returns the verdict on a turn's error. It has no codes: these are the
// messages of version 0.169.
func VerdictOf(message string, now time.Time) stream.Verdict {
	plain := strings.ReplaceAll(message, "’", "'")
	begins := func(all ...string) bool {
		for _, s := range all {
			if strings.HasPrefix(plain, s) {
				return true
			}
		}
		return false
	}
	switch {
	case begins("You've hit your usage limit"):
		return stream.Limit(resetAt(plain, now), text.FirstLine(message))
	case begins("Quota exceeded"):
		return stream.Permanent(text.FirstLine(message))
	case begins("Codex ran out of room in the model's context window"):
		return stream.Overflow("")
	case begins("We're currently experiencing high demand", "Selected model is at capacity", "rate limit exceeded"):
		return stream.Throttled(time.Time{}, text.FirstLine(message))
	case begins("stream disconnected before completion", "timeout", "Connection failed", "request timed out"):
		return stream.Down(text.FirstLine(message))
	}
	if noModel.MatchString(plain) {
		return stream.HTTP(404, text.FirstLine(message))
	}
	if m := status.FindStringSubmatch(plain); m != nil {
		code, _ := strconv.Atoi(m[1])
		return stream.HTTP(code, text.FirstLine(message))
	}
	return stream.Failed(text.FirstLine(message))
}

// again matches the time at which a limit ends: a time of today, or a date,
// both by the clock of this machine, of twelve hours or of twenty-four.
var again = lazyregexp.New(`(?i)try again at (?:([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}:\d{2}(?: [AP]M)?)(?:[^\d:\w]|$)`)

// in matches the remaining time of a limit, as earlier versions report it.
var in = lazyregexp.New(`(?i)try again in((?:,?(?: and)? (?:\d{1,4}|an?|less than a) (?:day|hour|minute|second)s?)+)`)

// part is one number of a duration in words.
var part = lazyregexp.New(`(?i)(\d{1,4}|less than a|an?) (day|hour|minute|second)`)

// minuteTold is the largest difference between the reported time and the
// limit's end: seconds are cut off.
const minuteTold = time.Minute

// resetAt is zero where no time is given.
func resetAt(message string, now time.Time) time.Time {
	if m := in.FindStringSubmatch(message); m != nil {
		return now.Add(lasts(m[1])).Add(minuteTold)
	}
	m := again.FindStringSubmatch(message)
	if m == nil {
		return time.Time{}
	}
	hour, layout := strings.ToUpper(m[3]), "15:04"
	if strings.HasSuffix(hour, "M") {
		layout = "3:04 PM"
	}
	if m[1] != "" {
		at, err := time.ParseInLocation("Jan 2 2006 "+layout, m[1]+" "+m[2]+" "+hour, now.Location())
		if err != nil {
			return time.Time{}
		}
		return at.Add(minuteTold)
	}
	at, err := time.ParseInLocation(layout, hour, now.Location())
	if err != nil {
		return time.Time{}
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, now.Location()).Add(minuteTold)
	if today.Before(now) {
		return today.AddDate(0, 0, 1)
	}
	return today
}

// lasts sums a duration in words: 3 days 4 hours, an hour and 5 minutes.
func lasts(words string) (d time.Duration) {
	units := map[string]time.Duration{"day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute, "second": time.Second}
	for _, m := range part.FindAllStringSubmatch(words, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = 1 // in words: a, an, less than a
		}
		d += time.Duration(n) * units[strings.ToLower(m[2])]
	}
	return d
}
