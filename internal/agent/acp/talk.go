package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// begin starts the conversation. It lasts until the program has responded to
// the prompt, or is gone.
func (d *dialect) begin(ctx context.Context, prompt string) {
	go func() {
		defer close(d.over)
		answer, err := d.converse(ctx, prompt)
		if unfit := useless(err); unfit != "" {
			d.with(func(t *stream.Tally) {
				d.worth = stream.Permanent(unfit)
				t.Stop(d.worth)
			})
			return
		}
		if said, is := errors.AsType[*sdk.RequestError](err); err != nil && (!is || gone(d.conn) && ours(said)) {
			return // it is gone: its process reports how it went
		}
		d.with(func(t *stream.Tally) {
			d.failed, _ = errors.AsType[*sdk.RequestError](err)
			_, d.early = errors.AsType[*stageError](err)
			if err == nil {
				d.worth = d.verdictOf(t, answer)
			}
			if d.worth.End == loop.EndDone {
				t.Final(d.said.Whole)
			}
			t.Closing(true, false)
		})
		_ = d.in.Close() // that is how it is asked to leave
	}()
}

// useless returns why no run of the program can work, empty where one may.
func useless(err error) string {
	if other, is := errors.AsType[*versionError](err); is {
		return other.Error()
	}
	if unfit, is := errors.AsType[*modeError](err); is {
		return unfit.Error()
	}
	return ""
}

// ours reports whether an error response is one that the SDK makes itself, for a program
// that is gone or cannot be written to. A program may respond with an error and leave.
func ours(e *sdk.RequestError) bool {
	data, _ := e.Data.(map[string]any)
	_, words := data["error"].(string)
	return words && len(data) == 1
}

func gone(c *sdk.Connection) bool {
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

// versionError is a program that speaks another version of the protocol.
type versionError struct{ theirs stream.Count }

func (e *versionError) Error() string {
	return fmt.Sprintf("it speaks version %d of the Agent Client Protocol, ralph speaks version %d", e.theirs, sdk.ProtocolVersionNumber)
}

func (d *dialect) converse(ctx context.Context, prompt string) (end, error) {
	var none end
	h, err := ask[hello](ctx, d, sdk.AgentMethodInitialize, sdk.InitializeRequest{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		ClientInfo:      &sdk.Implementation{Name: "ralph", Version: "1"},
	})
	if err != nil {
		return none, &stageError{err}
	}
	if h.Version != sdk.ProtocolVersionNumber {
		return none, &versionError{h.Version}
	}
	d.with(func(*stream.Tally) { d.name = h.Agent.Name })
	session, err := d.session(ctx, h)
	if err != nil {
		return none, &stageError{err}
	}
	d.with(func(t *stream.Tally) {
		t.Began(string(session), "", h.Agent.Version)
	})
	return ask[end](ctx, d, sdk.AgentMethodSessionPrompt, sdk.PromptRequest{SessionId: session, Prompt: []sdk.ContentBlock{sdk.TextBlock(prompt)}})
}

// verdictOf returns the verdict that the program's own messages give.
func (d *dialect) verdictOf(t *stream.Tally, answer end) stream.Verdict {
	d.used(t, answer)
	d.said.Pause(t)
	switch answer.Stop {
	case sdk.StopReasonEndTurn:
		if v, failed := d.fell.verdict(t); failed {
			return v
		}
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
	return stream.Failed("it stopped: " + string(answer.Stop))
}

// authRequired is the protocol's code for it.
const authRequired = -32000

// refusal is the verdict on an error of the protocol. Its code may be that of
// the provider's response; Claude's adapter adds errorKind, opencode errorName,
// which only marks a provider's refusal as one, and Qwen Code details, which have
// the words of the refusal.
func (d *dialect) refusal(said *sdk.RequestError) stream.Verdict {
	var more struct {
		Kind    string `json:"errorKind"`
		Name    string `json:"errorName"`
		Details string `json:"details"`
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
	case more.Kind == "model_not_found":
		return stream.HTTP(404, said.Message)
	case more.Kind == "billing_error":
		return stream.HTTP(402, said.Message)
	case more.Kind == "invalid_request":
		return stream.Refused(400, said.Message)
	case more.Name == "ContextOverflowError":
		return stream.Overflow(said.Message)
	case more.Name == "APIError":
		return stream.Transient("the provider refused: " + said.Message)
	case said.Code >= 400 && said.Code < 600:
		v, _ := d.Refusal(said.Code, said.Message)
		return v
	case more.Details != "" && d.name == qwenName:
		return detailed(more.Details)
	case d.early:
		return stream.Transient("it could not begin: " + said.Message)
	}
	if more.Details != "" {
		return stream.Failed(said.Message + ": " + more.Details)
	}
	return stream.Failed(said.Message)
}

// used returns the usage: the standard has it in the response; Gemini CLI
// beside.
func (d *dialect) used(t *stream.Tally, answer end) {
	if u := answer.Usage; u != nil && !strings.Contains(strings.ToLower(d.name), "opencode") {
		input := u.Input
		if d.name == copilotName && u.CacheRead != nil { // part of the input, against the standard
			input = max(input-*u.CacheRead, 0)
		}
		t.Used(loop.Usage{InputTokens: input.Int(), OutputTokens: u.Output.Int(), CacheReadTokens: some(u.CacheRead), CacheWriteTokens: some(u.CacheWrite)})
		return
	}
	q := answer.Meta.Quota
	if len(q.Models) == 1 {
		t.Began("", q.Models[0].Model, "")
	}
	if q.Count.Input != nil {
		t.Used(loop.Usage{InputTokens: some(q.Count.Input), OutputTokens: some(q.Count.Output)})
	}
}

// some is a count that may be missing.
func some(c *stream.Count) *int64 {
	if c == nil {
		return nil
	}
	return c.Int()
}
