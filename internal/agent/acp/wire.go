package acp

import (
	"context"
	"encoding/json"
	"errors"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/stream"
)

// Messages of programs are read into types of our own, not into the SDK's:
// there one field of another type loses the whole message, and with it a run's
// success.

// hello is the response to our greeting.
type hello struct {
	Version stream.Count `json:"protocolVersion"`
	Agent   struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"agentInfo"`
	Can struct {
		Load     stream.Flag `json:"loadSession"`
		Sessions struct {
			Resume json.RawMessage `json:"resume"`
		} `json:"sessionCapabilities"`
	} `json:"agentCapabilities"`
}

// resumes: an object, even an empty one, means yes.
func (h hello) resumes() bool {
	return len(h.Can.Sessions.Resume) > 0 && h.Can.Sessions.Resume[0] == '{'
}

// begun is a session.
type begun struct {
	ID    sdk.SessionId `json:"sessionId"`
	Modes struct {
		Current   string `json:"currentModeId"`
		Available []struct {
			ID string `json:"id"`
		} `json:"availableModes"`
	} `json:"modes"`
	Options []struct {
		ID      sdk.SessionConfigId `json:"id"`
		Options []struct {
			Value sdk.SessionConfigValueId `json:"value"`
		} `json:"options"`
	} `json:"configOptions"`
}

// end is how a prompt ended. Meta is Gemini CLI's addition: cached tokens are
// part of the input, and not listed separately.
type end struct {
	Stop  sdk.StopReason `json:"stopReason"`
	Usage *struct {
		Input      stream.Count  `json:"inputTokens"`
		Output     stream.Count  `json:"outputTokens"`
		CacheRead  *stream.Count `json:"cachedReadTokens"`
		CacheWrite *stream.Count `json:"cachedWriteTokens"`
	} `json:"usage"`
	Meta struct {
		Quota struct {
			Count struct {
				Input  *stream.Count `json:"input_tokens"`
				Output *stream.Count `json:"output_tokens"`
			} `json:"token_count"`
			Models []struct {
				Model string `json:"model"`
			} `json:"model_usage"`
		} `json:"quota"`
	} `json:"_meta"`
}

// update is an action or a message of the program; for a call also the
// permission that it asks for.
type update struct {
	Is      string             `json:"sessionUpdate"`
	Message string             `json:"messageId"`
	ID      sdk.ToolCallId     `json:"toolCallId"`
	Kind    sdk.ToolKind       `json:"kind"`
	Title   string             `json:"title"`
	Status  sdk.ToolCallStatus `json:"status"`
	At      []place            `json:"locations"`
	Input   any                `json:"rawInput"`
	Content json.RawMessage    `json:"content"`
	Used    stream.Count       `json:"used"`
	Size    stream.Count       `json:"size"`
	Cost    *cost              `json:"cost"`
	Meta    beside             `json:"_meta"`
}

// beside is what two programs add to the protocol: Qwen Code the usage of each
// request, Codex's adapter the errors of its turn and of its tries.
type beside struct {
	Usage *struct {
		Input     stream.Count `json:"inputTokens"`
		Output    stream.Count `json:"outputTokens"`
		CacheRead stream.Count `json:"cachedReadTokens"`
	} `json:"usage"`
	Codex struct {
		Error *struct {
			Message string      `json:"message"`
			Details string      `json:"additionalDetails"`
			Again   stream.Flag `json:"willRetry"`
		} `json:"error"`
		Status struct {
			Type string `json:"type"`
		} `json:"threadStatus"`
	} `json:"codex"`
}

type place struct {
	Path string `json:"path"`
}

type cost struct {
	Amount   stream.Amount `json:"amount"`
	Currency string        `json:"currency"`
}

// block is a piece of text or output.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// Content is the piece, where a call shows one.
	Content *block `json:"content"`
}

// request asks for permission.
type request struct {
	Call    update                 `json:"toolCall"`
	Options []sdk.PermissionOption `json:"options"`
}

// ask sends a request and waits for its response.
func ask[T any](ctx context.Context, d *dialect, method string, params any) (answer T, err error) {
	d.asked.Add(1) // as the SDK numbers them
	text, err := sdk.SendRequest[json.RawMessage](d.conn, ctx, method, params)
	if err == nil && len(text) > 0 && !stream.Decode(text, &answer) {
		err = errors.New("its answer to " + method + " is no JSON")
	}
	return answer, err
}

// answer responds to the program's own requests: we decide only about
// permission.
func (d *dialect) answer(_ context.Context, method string, params json.RawMessage) (any, *sdk.RequestError) {
	if method != sdk.ClientMethodSessionRequestPermission {
		return nil, sdk.NewMethodNotFound(method)
	}
	var r request
	stream.Decode(params, &r)
	return d.permit(r), nil
}
