package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longest is the longest message that is read, in bytes.
const longest = 8 << 20

// parse reads one line. What is no message gets a refusal to send back
// (JSON-RPC 2.0, section 5.1).
func parse(line []byte) (m jsonrpc.Message, refusal []byte) {
	code, why := int64(jsonrpc.CodeParseError), ""
	switch {
	case len(line) > longest:
		why = "the message is longer than 8 MiB"
	case !json.Valid(line):
		why = "this line is not JSON; one line is one message"
	case line[0] == '[':
		code, why = jsonrpc.CodeInvalidRequest, "batches are not part of the protocol any more: send one message a line"
	default:
		m, err := jsonrpc.DecodeMessage(line)
		if err == nil {
			return m, nil
		}
		code, why = jsonrpc.CodeInvalidRequest, err.Error()
	}
	refusal, _ = json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": identity(line), "error": map[string]any{"code": code, "message": why},
	})
	return nil, refusal
}

// identity is the id of a message that is wrong in another way, or null.
func identity(line []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) == nil && len(m.ID) > 0 && bytes.IndexByte([]byte(`"-0123456789`), m.ID[0]) >= 0 {
		return m.ID
	}
	return json.RawMessage("null")
}
