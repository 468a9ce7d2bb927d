package claude

import (
	"strings"
	"time"

	"ralph/internal/agent/stream"
)

// limit is the newest word about the account's quota.
type limit struct {
	rejected bool
	resetsAt time.Time
}

func (d *dialect) rateLimit(line []byte) bool {
	var in struct {
		Info struct {
			Status   string        `json:"status"`
			ResetsAt stream.Moment `json:"resetsAt"`
		} `json:"rate_limit_info"`
	}
	if !stream.Decode(line, &in) {
		return false
	}
	d.limit = limit{in.Info.Status == "rejected", in.Info.ResetsAt.Time}
	return true
}

// loginTries is how often a refused login is tried before we end it: once may
// be a token that is just being renewed.
const loginTries = 3

func (d *dialect) retry(t *stream.Tally, line []byte) bool {
	var in struct {
		Attempt stream.Count `json:"attempt"`
		Status  stream.Count `json:"error_status"`
		Error   string       `json:"error"`
	}
	if !stream.Decode(line, &in) {
		return false
	}
	v := apiError(in.Status, in.Error, "")
	if v.End == "" {
		v = stream.Transient("the provider does not answer")
	}
	if in.Error == "authentication_failed" && in.Attempt >= loginTries {
		t.Stop(v)
		return true
	}
	t.Trouble(v)
	return true
}

// verdict on the last result.
func (d *dialect) verdict(r result) stream.Verdict {
	switch {
	case !bool(r.IsError) && r.Subtype == "success":
		return stream.Done()
	case r.Subtype == "error_max_turns":
		return stream.Failed("it used its turns (max_turns)")
	case r.Reason == "prompt_too_long":
		return stream.Overflow(r.said())
	case d.spent(r):
		return stream.Limit(d.limit.resetsAt, r.said())
	}
	if v := apiError(r.Status, d.failure, r.said()); v.End != "" {
		return v
	}
	if r.Reason == "api_error" {
		return stream.Transient(r.said())
	}
	return stream.Failed(strings.TrimSpace(r.Subtype + " " + r.Reason + " " + r.said()))
}

// spent: the provider refused because a quota is used up, not because of too
// many requests at once.
func (d *dialect) spent(r result) bool {
	return r.APIError == "usage_limit_reached" || d.limit.rejected && d.failure == "rate_limit"
}

func (r result) said() string {
	if r.Result != "" {
		return r.Result
	}
	return strings.Join(r.Errors, "; ")
}

// apiError is the verdict on the program's own kinds of error, or, where it
// has no kind for it, on the provider's status.
func apiError(status stream.Count, kind, said string) stream.Verdict {
	switch kind {
	case "authentication_failed", "oauth_org_not_allowed":
		return stream.Permanent(named("not logged in", said))
	case "billing_error":
		return stream.Permanent(named("the account cannot pay", said))
	case "model_not_found":
		return stream.Permanent(named("unknown model", said))
	case "rate_limit":
		return stream.Transient(named("the provider throttles", said))
	case "server_error", "overloaded":
		return stream.Transient(named("the provider fails", said))
	}
	if status > 0 {
		return stream.HTTP(int(status), said)
	}
	return stream.Verdict{}
}

func named(what, said string) string {
	if said == "" {
		return what
	}
	return what + ": " + said
}
