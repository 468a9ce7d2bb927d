package modelserver

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// anthropic is the Messages protocol.
type anthropic struct{}

func (anthropic) read(_ *http.Request, body []byte) (request, error) {
	var in struct {
		asked
		Tools []struct {
			Name   string `json:"name"`
			Schema schema `json:"input_schema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	offered := tools{}
	for _, t := range in.Tools {
		offered[t.Name] = offer{params: t.Schema.names()}
	}
	return in.request(offered), nil
}

func (anthropic) stop(a answer) string {
	if len(a.calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func (w anthropic) message(a answer, content []object, stop any) object {
	return object{
		"id": a.id, "type": "message", "role": "assistant", "model": a.model, "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": w.usage(a.usage),
	}
}

func (anthropic) usage(u Usage) object {
	return object{
		"input_tokens": u.Input, "cache_read_input_tokens": u.CacheRead, "cache_creation_input_tokens": 0,
		"output_tokens": u.Output, "service_tier": "standard",
	}
}

func (w anthropic) whole(a answer) any {
	content := []object{}
	if a.say != "" {
		content = append(content, object{"type": "text", "text": a.say})
	}
	for _, u := range a.calls {
		content = append(content, object{"type": "tool_use", "id": u.id, "name": u.name, "input": u.args})
	}
	return w.message(a, content, w.stop(a))
}

func (w anthropic) stream(a answer) []string {
	begin := a
	begin.usage.Output = 1
	out := []string{event("message_start", object{"type": "message_start", "message": w.message(begin, []object{}, nil)})}
	block := 0
	add := func(start, delta object) {
		out = append(out,
			event("content_block_start", object{"type": "content_block_start", "index": block, "content_block": start}),
			event("content_block_delta", object{"type": "content_block_delta", "index": block, "delta": delta}),
			event("content_block_stop", object{"type": "content_block_stop", "index": block}))
		block++
	}
	if a.say != "" {
		add(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": a.say})
	}
	for _, u := range a.calls {
		args, _ := json.Marshal(u.args)
		add(object{"type": "tool_use", "id": u.id, "name": u.name, "input": object{}}, object{"type": "input_json_delta", "partial_json": string(args)})
	}
	return append(out,
		event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": w.stop(a), "stop_sequence": nil}, "usage": w.usage(a.usage)}),
		event("message_stop", object{"type": "message_stop"}))
}

func (anthropic) refuse(f Fault) (any, map[string]string) {
	kind, words := "api_error", f.words()
	header := map[string]string{}
	switch {
	case f.Kind == Overflow:
		kind, words = "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"
	case f.Status == 401:
		kind = "authentication_error"
	case f.Status == 403:
		kind = "permission_error"
	case f.Status == 404:
		kind = "not_found_error"
	case f.Status == 429:
		kind = "rate_limit_error"
	case f.Status == 529:
		kind = "overloaded_error"
	}
	if f.Kind == Spent && !f.ResetAt.IsZero() {
		// The quotas of a subscription are in headers.
		reset := strconv.FormatInt(f.ResetAt.Unix(), 10)
		const unified = "anthropic-ratelimit-unified-"
		header = map[string]string{
			unified + "status": "rejected", unified + "reset": reset, unified + "representative-claim": "five_hour",
			unified + "5h-status": "rejected", unified + "5h-reset": reset, unified + "5h-utilization": "1.0",
			unified + "overage-status": "rejected", unified + "overage-disabled-reason": "org_level_disabled",
		}
	}
	return object{"type": "error", "error": object{"type": kind, "message": words}}, header
}

// schema is the part of a JSON Schema that names a tool's arguments.
type schema struct {
	Properties map[string]json.RawMessage `json:"properties"`
}

func (s schema) names() (all []string) {
	for name := range s.Properties {
		all = append(all, name)
	}
	return all
}
