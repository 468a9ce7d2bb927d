package api

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// failure is an error as all providers write it: an object with these fields,
// or a text (Ollama).
type failure struct {
	Type    string `json:"type"`
	Code    any    `json:"code"`
	Message string `json:"message"`
}

func (f *failure) UnmarshalJSON(p []byte) error {
	type plain failure
	if p[0] == '"' {
		return json.Unmarshal(p, &f.Message)
	}
	stream.Decode(p, (*plain)(f))
	return nil
}

// maxErrorBody is how much of an error's body is read.
const maxErrorBody = 64 << 10

// throttled is how long a limit for each minute can last. A longer wait
// belongs to another limit.
const throttled = 2 * time.Minute

// refused is the verdict on an answer that is no stream.
func (c *call) refused(resp *http.Response) stream.Verdict {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	var said struct {
		Error failure `json:"error"`
	}
	if json.Unmarshal(body, &said) != nil {
		said.Error.Message = string(body)
	}
	c.sign()
	if to := resp.Header.Get("Location"); resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return stream.Permanent(words("the address redirects, which is not followed with a key", to))
	}
	v := said.Error.verdict(resp.StatusCode)
	wait := retryAfter(resp.Header, c.job.Time())
	if v.Provider == loop.Throttled && wait > 0 {
		v.ResetAt = c.job.Time().Add(wait)
	}
	if v.End == loop.EndTransient && wait > throttled {
		return stream.Limit(c.job.Time().Add(wait), words("the provider says to come back in "+wait.Round(time.Second).String(), said.Error.Message))
	}
	return v
}

// verdict on an error: by the provider's own code where it has one that says
// more than the status.
func (f failure) verdict(status int) stream.Verdict {
	code, _ := f.Code.(string)
	switch {
	case f.Type == "insufficient_quota" || code == "insufficient_quota" || f.Type == "billing_error":
		return stream.Permanent(words("no credit left", f.Message))
	case status == 0 && (f.Type == "authentication_error" || f.Type == "permission_error"):
		status = 401
	case status == 0 && (f.Type == "invalid_request_error" || f.Type == "not_found_error"):
		return stream.Failed(words("the provider refused the request", f.Message))
	case status == 0 && f.Type == "rate_limit_error":
		status = 429
	case status == 0:
		// An error in the middle of a stream: overloaded, out of memory.
		return stream.Down(words("the provider fails", f.Message))
	}
	return stream.HTTP(status, f.Message)
}

// retryAfter returns how long the provider wants us to wait; the header has
// seconds or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 && n < 365*24*3600 {
		return time.Duration(n * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
