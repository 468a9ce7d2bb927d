package acp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// begin starts the conversation. It goes on until the program has answered the
// prompt, or is gone.
func (d *dialect) begin(ctx context.Context, prompt string) {
	go func() {
		defer close(d.over)
		answer, err := d.converse(ctx, prompt)
		if _, said := errors.AsType[*sdk.RequestError](err); err != nil && (!said || gone(d.conn)) {
			return // it is gone: how it went is told by its process
		}
		d.with(func(t *stream.Tally) {
			d.failed, _ = errors.AsType[*sdk.RequestError](err)
			_, d.early = errors.AsType[*stageError](err)
			if err == nil {
				d.worth = d.judge(t, answer)
			}
			if d.worth.End == loop.EndDone {
				t.Final(d.said.Whole)
			}
			t.Closing(true, false)
		})
		_ = d.in.Close() // that is how it is asked to leave
	}()
}

func gone(c *sdk.ClientSideConnection) bool {
	select {
	case <-c.Done():
		return true
	default:
		return false
	}
}

// stageError is an error before the prompt.
type stageError struct{ err error }

func (e *stageError) Error() string { return e.err.Error() }
func (e *stageError) Unwrap() error { return e.err }

func (d *dialect) converse(ctx context.Context, prompt string) (sdk.PromptResponse, error) {
	var none sdk.PromptResponse
	hello, err := d.conn.Initialize(ctx, sdk.InitializeRequest{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		ClientInfo:      &sdk.Implementation{Name: "ralph", Version: "1"},
	})
	if err != nil {
		return none, &stageError{err}
	}
	session, err := d.session(ctx, hello.AgentCapabilities)
	if err != nil {
		return none, &stageError{err}
	}
	d.with(func(t *stream.Tally) {
		version := ""
		if hello.AgentInfo != nil {
			d.name, version = hello.AgentInfo.Name, hello.AgentInfo.Version
		}
		t.Began(string(session), "", version)
	})
	return d.conn.Prompt(ctx, sdk.PromptRequest{SessionId: session, Prompt: []sdk.ContentBlock{sdk.TextBlock(prompt)}})
}

// judge is what the program's own words make of its run.
func (d *dialect) judge(t *stream.Tally, answer sdk.PromptResponse) stream.Verdict {
	d.used(t, answer)
	d.said.Pause(t)
	switch answer.StopReason {
	case sdk.StopReasonEndTurn:
		if d.said.Whole == "" && len(d.calls) == 0 {
			return stream.Failed("it ended its turn without a word")
		}
		return stream.Done()
	case sdk.StopReasonMaxTokens:
		return stream.Failed("its answer was cut at its limit of tokens")
	case sdk.StopReasonMaxTurnRequests:
		return stream.Failed("it used up its own number of turns")
	case sdk.StopReasonRefusal:
		return stream.Failed("the model refused")
	}
	return stream.Failed("it stopped: " + string(answer.StopReason))
}

// authRequired is the protocol's code for it.
const authRequired = -32000

// refusal is the verdict on an error of the protocol. Its code may be that of
// the provider's answer; errorKind is what Claude's adapter adds, errorName what
// opencode does: all that it tells of a provider's refusal is that it was one.
func (d *dialect) refusal(said *sdk.RequestError) stream.Verdict {
	var more struct {
		Kind string `json:"errorKind"`
		Name string `json:"errorName"`
	}
	data, _ := json.Marshal(said.Data)
	_ = json.Unmarshal(data, &more) // others put other things there
	switch {
	case said.Code == authRequired, more.Kind == "authentication_error", more.Kind == "authentication_failed", more.Name == "ProviderAuthError":
		return stream.HTTP(401, said.Message)
	case more.Kind == "rate_limit":
		return stream.HTTP(429, said.Message)
	case more.Kind == "overloaded", more.Kind == "server_error":
		return stream.HTTP(503, said.Message)
	case more.Name == "ContextOverflowError":
		return stream.Overflow(said.Message)
	case more.Name == "APIError":
		return stream.Transient("the provider refused: " + said.Message)
	case said.Code >= 400 && said.Code < 600:
		v, _ := d.Refusal(said.Code, said.Message)
		return v
	case d.early:
		return stream.Transient("it could not begin: " + said.Message)
	}
	return stream.Failed(said.Message)
}

// used: the standard has it in the answer; Gemini CLI beside.
func (d *dialect) used(t *stream.Tally, answer sdk.PromptResponse) {
	if u := answer.Usage; u != nil && !strings.Contains(strings.ToLower(d.name), "opencode") {
		t.Used(loop.Usage{
			InputTokens: wide(&u.InputTokens), OutputTokens: wide(&u.OutputTokens),
			CacheReadTokens: wide(u.CachedReadTokens), CacheWriteTokens: wide(u.CachedWriteTokens),
		})
		return
	}
	d.quota(t, answer.Meta)
}

// quota is what Gemini CLI tells: what was cached is part of the input, and not
// told apart. A model is known where it was the only one.
func (d *dialect) quota(t *stream.Tally, meta any) {
	type count struct {
		Input  *int `json:"input_tokens"`
		Output *int `json:"output_tokens"`
	}
	var beside struct {
		Quota struct {
			Count  count `json:"token_count"`
			Models []struct {
				Model string `json:"model"`
			} `json:"model_usage"`
		} `json:"quota"`
	}
	data, _ := json.Marshal(meta)
	if json.Unmarshal(data, &beside) != nil {
		return
	}
	q := beside.Quota
	if len(q.Models) == 1 {
		t.Began("", q.Models[0].Model, "")
	}
	if q.Count.Input != nil {
		t.Used(loop.Usage{InputTokens: wide(q.Count.Input), OutputTokens: wide(q.Count.Output)})
	}
}

func wide(n *int) *int64 {
	if n == nil || *n < 0 {
		return nil
	}
	return new(int64(*n))
}
