package claude

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// result is the program's own summary at the end of a turn.
type result struct {
	Subtype  string       `json:"subtype"`
	IsError  stream.Flag  `json:"is_error"`
	Reason   string       `json:"terminal_reason"`
	Status   stream.Count `json:"api_error_status"`
	APIError string       `json:"api_error"`
	Result   string       `json:"result"`
	Errors   []string     `json:"errors"`
	Session  string       `json:"session_id"`

	Cost  *stream.Amount        `json:"total_cost_usd"`
	Usage *tokens               `json:"usage"`
	Total map[string]modelUsage `json:"modelUsage"`
	// Since is nil in versions that do not have it.
	Since map[string]modelUsage `json:"model_usage_since_last_result"`

	Denials []struct {
		Tool string `json:"tool_name"`
	} `json:"permission_denials"`
}

// modelUsage is the usage of one model.
type modelUsage struct {
	Input      stream.Count  `json:"inputTokens"`
	Output     stream.Count  `json:"outputTokens"`
	CacheRead  stream.Count  `json:"cacheReadInputTokens"`
	CacheWrite stream.Count  `json:"cacheCreationInputTokens"`
	Cost       stream.Amount `json:"costUSD"`
	Window     stream.Count  `json:"contextWindow"`
}

func (d *dialect) result(t *stream.Tally, line []byte) bool {
	var r result
	if !stream.Decode(line, &r) {
		return false
	}
	d.last = &r
	for _, refused := range r.Denials {
		if refused.Tool != "" {
			t.Denied(refused.Tool, "")
		}
	}
	d.used(t, r)
	if !r.IsError {
		t.Final(r.Result)
	}
	t.Closing(true, d.behind)
	return true
}

// used adds the usage since the last result.
func (d *dialect) used(t *stream.Tally, r result) {
	since := r.Since
	if since == nil {
		if d.resumed {
			return // the session's earlier usage is unknown
		}
		since = less(r.Total, d.before)
		d.before = r.Total
	}
	t.Context(0, window(r.Total))
	if len(since) == 0 && len(r.Total) == 0 {
		if u := d.whole(r); !bool(r.IsError) || u.Costs() {
			t.Used(u)
		} // else there was no response: nothing is known, not even zero
		return
	}
	sum := modelUsage{}.usage()
	dollars := stream.Amount(0)
	for _, m := range since {
		sum, dollars = sum.Add(m.usage()), dollars+m.Cost
		if m.Cost < -1e-9 {
			dollars = stream.Amount(math.NaN())
		}
	}
	sum.CostMicroUSD, sum.CostSource = loop.MicroUSD(float64(dollars)), "reported"
	t.Used(sum)
}

func (m modelUsage) usage() loop.Usage {
	return loop.Usage{InputTokens: m.Input.Int(), OutputTokens: m.Output.Int(), CacheReadTokens: m.CacheRead.Int(), CacheWriteTokens: m.CacheWrite.Int()}
}

// whole returns the usage that names no model. Its cost is for the session so
// far, its tokens for the turn.
func (d *dialect) whole(r result) (u loop.Usage) {
	if k := r.Usage; k != nil {
		u = loop.Usage{InputTokens: k.Input.Int(), OutputTokens: k.Output.Int(), CacheReadTokens: k.CacheRead.Int(), CacheWriteTokens: k.CacheWrite.Int()}
	}
	if r.Cost != nil {
		u.CostMicroUSD, u.CostSource = loop.MicroUSD(float64(*r.Cost-d.paid)), "reported"
		d.paid = *r.Cost
	}
	return u
}

// window returns the context size of the model that read most: the others are
// helpers.
func window(total map[string]modelUsage) int64 {
	most, size := stream.Count(-1), stream.Count(0)
	for _, m := range total {
		read := m.Input + m.CacheRead + m.CacheWrite
		if read > most || read == most && m.Window > size {
			most, size = read, m.Window
		}
	}
	return int64(size)
}

// less returns the increase of a total.
func less(total, before map[string]modelUsage) map[string]modelUsage {
	out := map[string]modelUsage{}
	for name, m := range total {
		b := before[name]
		m.Input, m.Output = m.Input-b.Input, m.Output-b.Output
		m.CacheRead, m.CacheWrite, m.Cost = m.CacheRead-b.CacheRead, m.CacheWrite-b.CacheWrite, m.Cost-b.Cost
		out[name] = m
	}
	return out
}

// limit is the newest report about the account's quota.
type limit struct {
	rejected bool
	resetsAt time.Time
}

// rateLimit takes a report, which successful turns have too. The window that it is
// about has its reset time beside it in some versions; utilization is a part of 1.
func (d *dialect) rateLimit(t *stream.Tally, line []byte) bool {
	var in struct {
		Info struct {
			Status   string        `json:"status"`
			ResetsAt stream.Moment `json:"resetsAt"`
			Type     string        `json:"rateLimitType"`
			Windows  map[string]struct {
				Used     *stream.Amount `json:"utilization"`
				ResetsAt stream.Moment  `json:"resetsAt"`
			} `json:"unifiedWindows"`
		} `json:"rate_limit_info"`
	}
	if !stream.Decode(line, &in) {
		return false
	}
	d.limit = limit{in.Info.Status == "rejected", in.Info.ResetsAt.Time}
	for _, name := range slices.Sorted(maps.Keys(in.Info.Windows)) {
		w := in.Info.Windows[name]
		if w.ResetsAt.IsZero() && in.Info.Type == name {
			w.ResetsAt = in.Info.ResetsAt
		}
		if w.Used != nil {
			t.Window(name, 100*float64(*w.Used), w.ResetsAt.Time)
		}
	}
	return true
}

// loginTries is how often a refused login is tried before ralph ends it: once may
// be a token that is being renewed.
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
		v = stream.Down("the provider does not answer")
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
		return stream.Down(r.said())
	}
	return stream.Failed(strings.TrimSpace(r.Subtype + " " + r.Reason + " " + r.said()))
}

// spent reports whether the provider refused because a quota is used up, not
// because of too many requests at once.
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
		return stream.NoLogin(named("not logged in", said))
	case "billing_error":
		return stream.Permanent(named("the account cannot pay", said))
	case "model_not_found":
		return stream.Permanent(named("unknown model", said))
	case "rate_limit":
		return stream.Throttled(time.Time{}, named("the provider throttles", said))
	case "overloaded":
		return stream.Throttled(time.Time{}, named("the provider is overloaded", said))
	case "server_error":
		return stream.Down(named("the provider fails", said))
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
