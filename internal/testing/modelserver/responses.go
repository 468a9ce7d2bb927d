package modelserver

import (
	"encoding/json"
	"net/http"
)

// responses is OpenAI's Responses protocol.
type responses struct{}

func (responses) read(_ *http.Request, body []byte) (request, error) {
	var in struct {
		Model  string          `json:"model"`
		Stream bool            `json:"stream"`
		Input  json.RawMessage `json:"input"`
		Tools  []struct {
			Type   string `json:"type"`
			Name   string `json:"name"`
			Schema schema `json:"parameters"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	var c conversation
	if text := texts(in.Input); text != "" {
		c.part(person, text)
	} else if err := responseItems(&c, in.Input); err != nil {
		return request{}, err
	}
	offered := tools{}
	for _, t := range in.Tools {
		if t.Name != "" {
			offered[t.Name] = offer{free: t.Type == "custom", params: t.Schema.names()}
		}
	}
	return request{model: in.Model, stream: in.Stream, begin: c.begin, turn: c.turns, tools: offered}, nil
}

func responseItems(c *conversation, input json.RawMessage) error {
	var items []struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(input, &items); err != nil {
		return err
	}
	for _, i := range items {
		switch {
		case i.Role == "user":
			c.part(person, texts(i.Content))
		case i.Role == "assistant", i.Type == "function_call", i.Type == "custom_tool_call", i.Type == "local_shell_call", i.Type == "reasoning":
			c.part(model, "")
		case i.Role == "":
			c.part(tool, "")
		}
	}
	return nil
}

// items are the parts of an answer.
func (responses) items(a answer) []object {
	var out []object
	if a.say != "" {
		out = append(out, object{
			"type": "message", "id": a.id + "_text", "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": a.say, "annotations": []object{}}},
		})
	}
	for _, u := range a.calls {
		if u.free != "" {
			out = append(out, object{"type": "custom_tool_call", "id": "ctc_" + u.id, "call_id": u.id, "name": u.name, "input": u.free, "status": "completed"})
			continue
		}
		args, _ := json.Marshal(u.args)
		out = append(out, object{"type": "function_call", "id": "fc_" + u.id, "call_id": u.id, "name": u.name, "arguments": string(args), "status": "completed"})
	}
	return out
}

func (w responses) response(a answer, status string, items []object) object {
	out := object{
		"id": a.id, "object": "response", "created_at": 1795190400, "status": status, "model": a.model, "output": items,
		"parallel_tool_calls": true, "tool_choice": "auto", "tools": []object{}, "error": nil, "incomplete_details": nil,
	}
	if status == "completed" {
		// Cached input is part of input here.
		in := a.usage.Input + a.usage.CacheRead
		out["usage"] = object{
			"input_tokens": in, "input_tokens_details": object{"cached_tokens": a.usage.CacheRead},
			"output_tokens": a.usage.Output, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": in + a.usage.Output,
		}
	}
	return out
}

func (w responses) whole(a answer) any { return w.response(a, "completed", w.items(a)) }

func (w responses) stream(a answer) []string {
	var out []string
	send := func(kind string, more object) {
		more["type"], more["sequence_number"] = kind, len(out)
		out = append(out, event(kind, more))
	}
	send("response.created", object{"response": w.response(a, "in_progress", []object{})})
	for i, item := range w.items(a) {
		begun := object{"type": item["type"], "id": item["id"], "status": "in_progress"}
		for _, key := range []string{"role", "call_id", "name"} {
			if v, ok := item[key]; ok {
				begun[key] = v
			}
		}
		switch item["type"] {
		case "message":
			begun["content"] = []object{}
		case "function_call":
			begun["arguments"] = ""
		case "custom_tool_call":
			begun["input"] = ""
		}
		send("response.output_item.added", object{"output_index": i, "item": begun})
		if item["type"] == "message" {
			at := func() object { return object{"item_id": item["id"], "output_index": i, "content_index": 0} }
			delta, done := at(), at()
			delta["delta"], done["text"] = a.say, a.say
			send("response.output_text.delta", delta)
			send("response.output_text.done", done)
		}
		send("response.output_item.done", object{"output_index": i, "item": item})
	}
	send("response.completed", object{"response": w.whole(a)})
	return out
}

func (responses) refuse(f Fault) (any, map[string]string) { return openAIError(f) }
