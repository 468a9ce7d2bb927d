package modelserver

import (
	"encoding/json"
	"net/http"
)

// chat is the protocol of chat completions.
type chat struct{}

func (chat) read(_ *http.Request, body []byte) (request, error) {
	var in struct {
		asked
		Tools []struct {
			Function struct {
				Name   string `json:"name"`
				Schema schema `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	offered := tools{}
	for _, t := range in.Tools {
		offered[t.Function.Name] = offer{params: t.Function.Schema.names()}
	}
	return in.request(offered), nil
}

func (chat) stop(a answer) string {
	if len(a.calls) > 0 {
		return "tool_calls"
	}
	return "stop"
}

func (chat) calls(a answer) []object {
	var out []object
	for i, u := range a.calls {
		args, _ := json.Marshal(u.args)
		out = append(out, object{"index": i, "id": u.id, "type": "function", "function": object{"name": u.name, "arguments": string(args)}})
	}
	return out
}

func (chat) usage(u Usage) object {
	in := u.Input + u.CacheRead
	return object{
		"prompt_tokens": in, "completion_tokens": u.Output, "total_tokens": in + u.Output,
		"prompt_tokens_details": object{"cached_tokens": u.CacheRead},
	}
}

func (chat) frame(a answer, kind string, choice object) object {
	return object{"id": a.id, "object": kind, "created": 1795190400, "model": a.model, "choices": []object{choice}}
}

func (w chat) whole(a answer) any {
	message := object{"role": "assistant", "content": a.say}
	if len(a.calls) > 0 {
		message["tool_calls"] = w.calls(a)
	}
	out := w.frame(a, "chat.completion", object{"index": 0, "message": message, "finish_reason": w.stop(a)})
	out["usage"] = w.usage(a.usage)
	return out
}

func (w chat) stream(a answer) []string {
	chunk := func(delta object, stop any) object {
		return w.frame(a, "chat.completion.chunk", object{"index": 0, "delta": delta, "finish_reason": stop})
	}
	out := []string{event("", chunk(object{"role": "assistant", "content": ""}, nil))}
	if a.say != "" {
		out = append(out, event("", chunk(object{"content": a.say}, nil)))
	}
	if calls := w.calls(a); len(calls) > 0 {
		out = append(out, event("", chunk(object{"tool_calls": calls}, nil)))
	}
	last := chunk(object{}, w.stop(a))
	last["usage"] = w.usage(a.usage)
	return append(out, event("", last), "data: [DONE]\n\n")
}

func (chat) refuse(f Fault) (any, map[string]string) { return openAIError(f) }
