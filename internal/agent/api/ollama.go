package api

import (
	"net/http"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// ollama speaks Ollama's own chat: it reports its stop reason and usage,
// and has an error of its own for a missing model.
type ollama struct{}

func (ollama) base() string   { return "http://127.0.0.1:11434" }
func (ollama) path() string   { return "/api/chat" }
func (ollama) keyEnv() string { return "" }

func (ollama) header(h http.Header, key string) { openai{}.header(h, key) }

func (ollama) body(a loop.Agent, prompt string) any {
	type options struct {
		Predict int `json:"num_predict,omitempty"`
	}
	return struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
		Stream   bool      `json:"stream"`
		Options  options   `json:"options,omitzero"`
	}{a.Model, asked(prompt), true, options{a.MaxTokens}}
}

func (ollama) event(c *call, data []byte) {
	var e struct {
		Model   string        `json:"model"`
		Message message       `json:"message"`
		Done    stream.Flag   `json:"done"`
		Why     string        `json:"done_reason"`
		Input   *stream.Count `json:"prompt_eval_count"`
		Output  *stream.Count `json:"eval_count"`
		Error   *failure      `json:"error"`
	}
	if !stream.Decode(data, &e) {
		return
	}
	if e.Error != nil {
		c.failed = new(e.Error.verdict(0))
		return
	}
	c.began("", e.Model)
	c.said.WriteString(e.Message.Content)
	if !e.Done {
		return
	}
	c.usage.InputTokens, c.usage.OutputTokens = some(e.Input), some(e.Output)
	if e.Why == "" {
		e.Why = "stop" // before version 0.3 it said only that it is done
	}
	c.finish(e.Why)
}
