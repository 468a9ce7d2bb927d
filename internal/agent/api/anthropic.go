package api

import (
	"net/http"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// anthropic speaks the Messages API, version 2023-06-01.
type anthropic struct{}

func (anthropic) base() string   { return "https://api.anthropic.com" }
func (anthropic) path() string   { return "/v1/messages" }
func (anthropic) keyEnv() string { return "ANTHROPIC_API_KEY" }

func (anthropic) header(h http.Header, key string) {
	h.Set("Anthropic-Version", "2023-06-01")
	if key != "" {
		h.Set("X-Api-Key", key)
	}
}

// defaultMaxTokens is accepted by every model since 2024: the API requires a
// limit.
const defaultMaxTokens = 8192

func (anthropic) body(a loop.Agent, prompt string) any {
	n := a.MaxTokens
	if n <= 0 {
		n = defaultMaxTokens
	}
	return struct {
		Model     string    `json:"model"`
		MaxTokens int       `json:"max_tokens"`
		Messages  []message `json:"messages"`
		Stream    bool      `json:"stream"`
	}{a.Model, n, asked(prompt), true}
}

type anthropicUsage struct {
	Input      *stream.Count `json:"input_tokens"`
	Output     *stream.Count `json:"output_tokens"`
	CacheRead  *stream.Count `json:"cache_read_input_tokens"`
	CacheWrite *stream.Count `json:"cache_creation_input_tokens"`
}

type anthropicEvent struct {
	Type    string `json:"type"`
	Message struct {
		ID    string         `json:"id"`
		Model string         `json:"model"`
		Usage anthropicUsage `json:"usage"`
	} `json:"message"`
	Delta struct {
		Type string `json:"type"`
		Text string `json:"text"`
		Stop string `json:"stop_reason"`
	} `json:"delta"`
	Usage anthropicUsage `json:"usage"`
	Error failure        `json:"error"`
}

func (anthropic) event(c *call, data []byte) {
	var e anthropicEvent
	if !stream.Decode(data, &e) {
		return
	}
	switch e.Type {
	case "message_start":
		c.began(e.Message.ID, e.Message.Model)
		e.Message.Usage.tell(&c.usage)
	case "content_block_delta":
		if e.Delta.Type == "text_delta" {
			c.said.WriteString(e.Delta.Text)
		}
	case "message_delta":
		e.Usage.tell(&c.usage)
		switch e.Delta.Stop {
		case "end_turn", "stop_sequence":
			c.reason = whole
		case "max_tokens", "model_context_window_exceeded":
			c.reason = cut
		case "refusal":
			c.reason = refused
		default:
			c.reason = stop(e.Delta.Stop)
		}
	case "error":
		c.failed = new(e.Error.verdict(0))
	}
}

// tell reports usage: the counts are of the whole answer each time, and later
// ones leave out unchanged values.
func (u anthropicUsage) tell(to *loop.Usage) {
	for _, f := range []struct {
		to   **int64
		from *stream.Count
	}{{&to.InputTokens, u.Input}, {&to.OutputTokens, u.Output}, {&to.CacheReadTokens, u.CacheRead}, {&to.CacheWriteTokens, u.CacheWrite}} {
		if n := some(f.from); n != nil {
			*f.to = n
		}
	}
}
