package api

import (
	"bytes"
	"net/http"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// openai speaks chat completions, which most servers of models speak too.
type openai struct{}

func (openai) base() string   { return "https://api.openai.com/v1" }
func (openai) path() string   { return "/chat/completions" }
func (openai) keyEnv() string { return "OPENAI_API_KEY" }

func (openai) header(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

type openaiRequest struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
	Stream   bool      `json:"stream"`
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	// OpenAI itself knows the first only, other servers the second.
	MaxCompletionTokens int `json:"max_completion_tokens,omitempty"`
	MaxTokens           int `json:"max_tokens,omitempty"`
}

func (openai) body(a loop.Agent, prompt string) any {
	r := openaiRequest{Model: a.Model, Messages: asked(prompt), Stream: true}
	r.Options.Usage = true
	if a.BaseURL == "" {
		r.MaxCompletionTokens = a.MaxTokens
	} else {
		r.MaxTokens = a.MaxTokens
	}
	return r
}

type openaiChunk struct {
	ID      string `json:"id"`
	Model   string `json:"model"`
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"delta"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Input   *stream.Count `json:"prompt_tokens"`
		Output  *stream.Count `json:"completion_tokens"`
		Details struct {
			Cached *stream.Count `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error *failure `json:"error"`
}

func (openai) event(c *call, data []byte) {
	var e openaiChunk
	if bytes.Equal(data, []byte("[DONE]")) || !stream.Decode(data, &e) {
		return
	}
	if e.Error != nil {
		c.failed = new(e.Error.verdict(0))
		return
	}
	c.began(e.ID, e.Model)
	for _, choice := range e.Choices {
		c.said.WriteString(choice.Delta.Content)
		if choice.Delta.Refusal != "" {
			c.refusal += choice.Delta.Refusal
		}
		c.finish(choice.Finish)
	}
	if u := e.Usage; u != nil {
		c.usage.InputTokens, c.usage.OutputTokens, c.usage.CacheReadTokens = some(u.Input), some(u.Output), some(u.Details.Cached)
		if in, cached := c.usage.InputTokens, c.usage.CacheReadTokens; in != nil && cached != nil {
			// The cached ones are counted among the prompt's.
			*in = max(*in-*cached, 0)
		}
	}
}

func (c *call) finish(why string) {
	switch why {
	case "":
	case "stop":
		c.reason = whole
		if c.refusal != "" {
			c.reason = refused
		}
	case "length":
		c.reason = cut
	case "content_filter":
		c.reason = refused
	default:
		c.reason = stop(why)
	}
}
