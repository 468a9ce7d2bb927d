package opencode

import (
	"ralph/internal/agent/stream"
)

// failure is an error event.
type failure struct {
	Name string `json:"name"`
	Data struct {
		Message   string       `json:"message"`
		Status    stream.Count `json:"statusCode"`
		Retryable stream.Flag  `json:"isRetryable"`
		Body      string       `json:"responseBody"`
	} `json:"data"`
}

// hopeless is how often running a conversation may outgrow its model:
// compacting handles the first time.
const hopeless = 2

func (d *dialect) failed(t *stream.Tally, f failure) {
	d.failure = &f
	if f.Name != "ContextOverflowError" {
		t.Closing(true, false)
		return
	}
	if d.overflows++; d.overflows >= hopeless {
		t.Stop(f.verdict())
	}
}

func (f failure) verdict() stream.Verdict {
	said := f.Data.Message
	switch f.Name {
	case "ContextOverflowError":
		return stream.Overflow(said)
	case "ProviderAuthError":
		return stream.NoLogin("not logged in: " + said)
	case "ContentFilterError":
		return stream.Failed("the provider filtered the answer: " + said)
	case "MessageOutputLengthError":
		return stream.Failed("the answer was longer than the model may give: " + said)
	}
	switch {
	case f.Data.Status == 429 && f.code() == "insufficient_quota":
		return stream.Permanent("the account cannot pay: " + said)
	case f.Data.Status > 0:
		return stream.HTTP(int(f.Data.Status), said)
	case f.Name == "APIError" && bool(f.Data.Retryable):
		return stream.Down(said)
	}
	return stream.Transient(f.Name + ": " + said)
}

// code is the provider's own error code, where its response has one.
func (f failure) code() string {
	var body struct {
		Error struct {
			Code any    `json:"code"`
			Type string `json:"type"`
		} `json:"error"`
	}
	if !stream.Decode([]byte(f.Data.Body), &body) {
		return ""
	}
	if code, ok := body.Error.Code.(string); ok && code != "" {
		return code
	}
	return body.Error.Type
}
