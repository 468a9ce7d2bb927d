package claude

import (
	"math"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// result is the program's own account at the end of a turn.
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

// modelUsage is what one model cost.
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

// used adds what was used since the last result.
func (d *dialect) used(t *stream.Tally, r result) {
	since := r.Since
	if since == nil {
		if d.resumed {
			return // nobody knows what the session had used before
		}
		since = less(r.Total, d.before)
		d.before = r.Total
	}
	t.Context(0, window(r.Total))
	if len(since) == 0 && len(r.Total) == 0 {
		if u := d.whole(r); !bool(r.IsError) || u.Costs() {
			t.Used(u)
		} // else no answer came: nothing is known, not even zero
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

// whole is what a result tells that names no model. Its cost is that of the
// session so far, its tokens are those of the turn.
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

// window is that of the model that read most: the others are helpers.
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

// less is what has been added to a total.
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
