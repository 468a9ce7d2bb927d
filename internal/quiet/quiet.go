// Package quiet reads hours of the week such as "mon-fri 09:00-18:00" and finds
// out whether a time is within them. Times are read on the wall clock of their
// own location, so that 18:00 stays 18:00 when the clocks change.
package quiet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Hours are parts of a week. The zero value contains no time.
type Hours struct {
	spans []span
}

// span is a part of each of some days. Its minutes count from midnight; one that
// ends at or before its start ends on the next day.
type span struct {
	days       [7]bool // of its start, by time.Weekday
	start, end int
}

// Example shows what Parse reads, for the messages of its callers.
const Example = `22:00-07:00 or mon-fri 09:00-18:00, sat 10:00-12:00`

// Parse reads ranges of wall-clock time, separated by commas, each with the day
// or the days on which it begins, every day if none are given. A range may pass
// midnight; one that ends when it starts lasts 24 hours. Hours that leave no
// minute of the week free are refused.
func Parse(text string) (Hours, error) {
	var h Hours
	for part := range strings.SplitSeq(text, ",") {
		s, err := parseSpan(strings.Fields(strings.ToLower(part)))
		if err != nil {
			return Hours{}, fmt.Errorf("%q: %w", strings.TrimSpace(part), err)
		}
		h.spans = append(h.spans, s)
	}
	if h.always() {
		return Hours{}, fmt.Errorf("%q covers the whole week", text)
	}
	return h, nil
}

func parseSpan(fields []string) (s span, err error) {
	s.days = [7]bool{true, true, true, true, true, true, true}
	switch len(fields) {
	case 1:
	case 2:
		if s.days, err = parseDays(fields[0]); err != nil {
			return s, err
		}
		fields = fields[1:]
	default:
		return s, errors.New("not a range of hours")
	}
	from, to, ranged := strings.Cut(fields[0], "-")
	if !ranged {
		return s, errors.New("not a range of hours")
	}
	if s.start, err = parseMinute(from); err != nil {
		return s, err
	}
	if s.end, err = parseMinute(to); err != nil {
		return s, err
	}
	if s.start == minutesPerDay {
		return s, errors.New("a range cannot start at 24:00")
	}
	return s, nil
}

const minutesPerDay = 24 * 60

// parseMinute reads HH:MM as minutes since midnight; 24:00 is the day's end.
func parseMinute(text string) (int, error) {
	if text == "24:00" {
		return minutesPerDay, nil
	}
	t, err := time.Parse("15:04", text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a time of day", text)
	}
	return t.Hour()*60 + t.Minute(), nil
}

var dayNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// parseDays reads a day or a range of days, which may pass the end of the week.
func parseDays(text string) (days [7]bool, err error) {
	from, to, ranged := strings.Cut(text, "-")
	if !ranged {
		to = from
	}
	first, last := slices.Index(dayNames, from), slices.Index(dayNames, to)
	if first < 0 || last < 0 {
		return days, fmt.Errorf("%q is not a day; days are mon, tue, wed, thu, fri, sat, sun", text)
	}
	for d := first; ; d = (d + 1) % 7 {
		days[d] = true
		if d == last {
			return days, nil
		}
	}
}

// Contains reports whether t is within the hours. The start of a range belongs
// to it, its end does not.
func (h Hours) Contains(t time.Time) bool {
	return h.containsMinute(t.Weekday(), t.Hour()*60+t.Minute())
}

func (h Hours) containsMinute(day time.Weekday, minute int) bool {
	yesterday := (day + 6) % 7
	return slices.ContainsFunc(h.spans, func(s span) bool {
		if s.end > s.start {
			return s.days[day] && s.start <= minute && minute < s.end
		}
		return s.days[day] && s.start <= minute || s.days[yesterday] && minute < s.end
	})
}

// Until returns the first whole minute after t that is not within the hours; t
// itself where it is not within them.
func (h Hours) Until(t time.Time) time.Time {
	if !h.Contains(t) {
		return t
	}
	t = t.Truncate(time.Minute)
	for h.Contains(t) { // ends within a week: Parse leaves a minute free
		t = t.Add(time.Minute)
	}
	return t
}

func (h Hours) always() bool {
	for day := range time.Weekday(7) {
		for minute := range minutesPerDay {
			if !h.containsMinute(day, minute) {
				return false
			}
		}
	}
	return true
}
