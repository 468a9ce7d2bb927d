package codex

import (
	"strconv"
	"strings"
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/lazyregexp"
)

// status is how it quotes a provider's answer.
var status = lazyregexp.New(`^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b`)

// noModel is how its two providers refuse a model: those words are all that it
// passes on, without a status.
var noModel = lazyregexp.New("^The (?:requested )?(?:model )?[`'][^`']*[`'](?: model)? (?:does not exist|is not supported when using Codex)")

// judge tells what a turn's error means. It has no codes: these are the words of
// version 0.169, all of them the program's own.
func (d *dialect) judge(message string) stream.Verdict {
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
		return stream.Limit(resetAt(plain, d.now()), firstLine(message))
	case begins("Quota exceeded"):
		return stream.Permanent(firstLine(message))
	case begins("Codex ran out of room in the model's context window"):
		return stream.Overflow("")
	case begins("We're currently experiencing high demand", "Selected model is at capacity", "stream disconnected before completion",
		"rate limit exceeded", "timeout", "Connection failed", "request timed out"):
		return stream.Transient(firstLine(message))
	}
	if noModel.MatchString(plain) {
		return stream.HTTP(404, firstLine(message))
	}
	if m := status.FindStringSubmatch(plain); m != nil {
		code, _ := strconv.Atoi(m[1])
		return stream.HTTP(code, firstLine(message))
	}
	return stream.Failed(firstLine(message))
}

// again is when it says that a limit is over: a time of today, or a date, both
// by the clock of this machine.
var again = lazyregexp.New(`(?i)try again at (?:([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}:\d{2} [AP]M)`)

// minuteTold is what lies between the time that is told and the limit's end at
// most: the seconds are cut off.
const minuteTold = time.Minute

// resetAt is zero where no time is told.
func resetAt(message string, now time.Time) time.Time {
	m := again.FindStringSubmatch(message)
	if m == nil {
		return time.Time{}
	}
	if m[1] != "" {
		at, err := time.ParseInLocation("Jan 2 2006 3:04 PM", m[1]+" "+m[2]+" "+strings.ToUpper(m[3]), now.Location())
		if err != nil {
			return time.Time{}
		}
		return at.Add(minuteTold)
	}
	at, err := time.ParseInLocation("3:04 PM", strings.ToUpper(m[3]), now.Location())
	if err != nil {
		return time.Time{}
	}
	today := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, now.Location()).Add(minuteTold)
	if today.Before(now) {
		return today.AddDate(0, 0, 1)
	}
	return today
}
