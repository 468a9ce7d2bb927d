package qwen

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

var (
	// apiError is an error of the provider, in the program's own frame.
	apiError = lazyregexp.New(`^\[API Error: (?:(\d{3}) )?(.*)\]$`)
	// again is its message that it tries once more, and why.
	again = lazyregexp.New(`^Retrying in \d+s \(attempt \d+/\d+\): (.*)`)
)

// The messages that decide by themselves. The free quota's is the only one in
// which the program itself sees a spent quota.
const (
	noLogin  = "No auth type is selected"
	empty    = "Model stream ended with empty response text."
	spent    = "free allocated quota exceeded"
	noCredit = "You exceeded your current quota, please check your plan and billing details"
)

// verdict on the error that the last result names.
func verdict(message string) stream.Verdict {
	if strings.HasPrefix(message, noLogin) {
		return stream.HTTP(401, message)
	}
	found := apiError.FindStringSubmatch(strings.TrimSpace(message))
	if found == nil {
		return stream.Failed(cmp.Or(message, "it ended with an error"))
	}
	status, _ := strconv.Atoi(found[1])
	return Refusal(status, found[2])
}

// Refusal returns the verdict on a provider's refusal, with its status where that is
// known.
func Refusal(status int, said string) stream.Verdict {
	switch {
	case said == empty:
		return stream.Failed("it answered nothing: " + said)
	case strings.Contains(strings.ToLower(said), spent):
		return stream.Limit(time.Time{}, said)
	case strings.HasPrefix(said, noCredit):
		return stream.HTTP(402, said)
	case status > 0:
		return stream.Refused(status, said)
	}
	return stream.Down(said) // the connection, not a response
}

// Aside takes a line of the standard error.
func (d *dialect) Aside(t *stream.Tally, line []byte) {
	found := again.FindStringSubmatch(string(line[:min(len(line), 4<<10)]))
	if found == nil {
		return
	}
	d.why = found[1]
	d.retry(t)
}

// retry: the program tries again, after the newest error that it named.
func (d *dialect) retry(t *stream.Tally) {
	v := stream.Down("the provider does not answer")
	if d.why != "" {
		v = verdict(d.why)
		v.End = loop.EndTransient // it tries again by itself
	}
	t.Trouble(v)
}
