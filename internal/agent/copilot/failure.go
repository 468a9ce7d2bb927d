package copilot

import (
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// failure is an error that ends the run. Code is GitHub's own.
type failure struct {
	Type    string       `json:"errorType"`
	Code    string       `json:"errorCode"`
	Status  stream.Count `json:"statusCode"`
	Message string       `json:"message"`
}

// callFailure is a call of the model that failed. Code is the provider's; of the
// kind "transport" are those without an answer.
type callFailure struct {
	Status  stream.Count `json:"statusCode"`
	Kind    string       `json:"failureKind"`
	Code    string       `json:"errorCode"`
	Message string       `json:"errorMessage"`
	Parent  string       `json:"parentToolCallId"`
}

// callFailed takes a failed call, which the program may try again.
func (d *dialect) callFailed(t *stream.Tally, e event) bool {
	var in callFailure
	if !stream.Decode(e.Data, &in) {
		return false
	}
	if in.Parent != "" || e.Agent != "" {
		t.Waiting()
		return true // a subagent's
	}
	d.call = in
	v := stream.HTTP(int(in.Status), in.Message)
	v.End = loop.EndTransient // it may try again by itself
	if in.Status <= 0 {
		v = stream.Down(in.Message)
	}
	t.Trouble(v)
	return true
}

func (d *dialect) failed(t *stream.Tally, e event) bool {
	var in failure
	if !stream.Decode(e.Data, &in) {
		return false
	}
	d.failure = &in
	t.Waiting()
	return true
}

// verdict on the error that ended the run, by its type, GitHub's code, and the
// provider's answer.
func (d *dialect) verdict(f failure) stream.Verdict {
	switch {
	case f.Type == "authentication", f.Type == "authorization":
		return stream.HTTP(401, f.Message)
	case f.Type == "policy":
		return stream.Permanent("a policy of the account forbids it: " + f.Message)
	case f.Type == "quota" && f.Code == "billing_not_configured":
		return stream.HTTP(402, f.Message)
	case f.Type == "quota", f.Type == "rate_limit" && spans(f.Code):
		return stream.Limit(time.Time{}, f.Message)
	case f.Type == "context_limit", d.call.Code == "context_length_exceeded", d.call.Code == "model_max_prompt_tokens_exceeded":
		return stream.Overflow(f.Message)
	case f.Type == "rate_limit":
		return stream.HTTP(429, f.Message)
	case f.Status > 0:
		return stream.HTTP(int(f.Status), f.Message)
	case d.call.Kind == "transport":
		return stream.Down(f.Message)
	}
	return stream.Failed(f.Message)
}

// spans reports whether a code is that of a limit of days, not of requests in a
// minute.
func spans(code string) bool {
	return code == "user_weekly_rate_limited" || code == "user_global_rate_limited"
}

// usage takes the totals of the session. Cached input is part of the input.
func (d *dialect) usage(t *stream.Tally, line []byte) {
	var in struct {
		Models map[string]struct {
			Usage struct {
				Input      stream.Count `json:"inputTokens"`
				Output     stream.Count `json:"outputTokens"`
				CacheRead  stream.Count `json:"cacheReadTokens"`
				CacheWrite stream.Count `json:"cacheWriteTokens"`
			} `json:"usage"`
		} `json:"modelMetrics"`
	}
	stream.Decode(line, &in)
	if len(in.Models) == 0 {
		return // no response: nothing is known, not even zero
	}
	var sum loop.Usage
	for _, m := range in.Models {
		u := m.Usage
		fresh := u.Input
		if u.Input >= 0 && u.CacheRead > 0 {
			fresh = max(u.Input-u.CacheRead, 0)
		}
		sum = sum.Add(loop.Usage{InputTokens: fresh.Int(), OutputTokens: u.Output.Int(), CacheReadTokens: u.CacheRead.Int(), CacheWriteTokens: u.CacheWrite.Int()})
	}
	t.Used(stream.Since(sum, d.before))
}
