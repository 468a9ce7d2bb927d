package mcp

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A decision that belongs to a person is put to the person by the client's program
// (elicitation): the model that called the tool neither sees the form nor fills it in.
// The call ends with the question, and the client repeats it with the answer.

// ErrNoPerson is returned where the client cannot ask its user.
var ErrNoPerson = errors.New("the client cannot ask its user")

// ErrDeclined is returned where the user gave no answer.
var ErrDeclined = errors.New("the user gave no answer")

// errAsking ends a call whose question is on its way to the user.
var errAsking = errors.New("the user is asked")

type personKey struct{}

// person is the user of the client that made a call.
type person struct {
	request *mcp.CallToolRequest
	// asks is the question of this call, to be put by the client.
	asks mcp.InputRequestMap
}

// AskPerson puts a question to the user of the client that made the call, and
// returns the answer: one of the options, or any text where there are none. key
// names what is decided: an answer to anything else is not taken. Any error must end
// the call.
func AskPerson(ctx context.Context, key, question string, options []string) (string, error) {
	p, ok := ctx.Value(personKey{}).(*person)
	if !ok || !elicits(p.request.Session) {
		return "", ErrNoPerson
	}
	response, answered := p.request.Params.InputResponses[key]
	if !answered {
		p.asks = mcp.InputRequestMap{key: &mcp.ElicitParams{Message: question, RequestedSchema: form(options)}}
		return "", errAsking
	}
	r, ok := response.(*mcp.ElicitResult)
	if !ok || r.Action != "accept" {
		return "", ErrDeclined
	}
	answer, _ := r.Content["answer"].(string)
	if answer == "" {
		return "", ErrDeclined
	}
	return answer, nil
}

// form has one field.
func form(options []string) map[string]any {
	field := map[string]any{"type": "string", "title": "Answer"}
	if len(options) > 0 {
		field["enum"] = options
	}
	return map[string]any{"type": "object", "properties": map[string]any{"answer": field}, "required": []string{"answer"}}
}

func elicits(s *mcp.ServerSession) bool {
	p := s.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.Elicitation != nil
}
