package modelserver

import "encoding/json"

func anthropicFake() fake {
	return fake{
		name: "anthropic", path: "/v1/messages",
		request: func(said []any, stream bool) any {
			tool := func(name string, params ...string) object {
				return object{"name": name, "input_schema": object{"properties": props(params)}}
			}
			return object{"model": "m", "stream": stream, "messages": said, "tools": []any{
				tool("Write", "file_path", "content"), tool("Bash", "command", "description"),
			}}
		},
		person: func(text string) any {
			return object{"role": "user", "content": []any{object{"type": "text", "text": text}}}
		},
		results: func(calls []called) []any {
			var parts []any
			for _, c := range calls {
				parts = append(parts, object{"type": "tool_result", "tool_use_id": c.id, "content": "ok"})
			}
			return []any{object{"role": "user", "content": parts}}
		},
		hear: hearAnthropic,
	}
}

func hearAnthropic(events []object) (h heard) {
	usage, blocks := any(nil), []any{}
	for _, e := range events {
		switch str(e, "type") {
		case "message":
			usage, blocks = e["usage"], list(e, "content")
		case "content_block_start":
			blocks = append(blocks, e["content_block"])
		case "content_block_delta":
			b, _ := blocks[int(num(e, "index"))].(object)
			if args := str(e, "delta", "partial_json"); args != "" {
				b["input"] = decoded(args)
			}
			b["text"] = str(b, "text") + str(e, "delta", "text")
		case "message_delta":
			usage = e["usage"]
		}
	}
	for _, b := range blocks {
		h.words += str(b, "text")
		if str(b, "type") == "tool_use" {
			args, _ := at(b, "input").(object)
			h.calls = append(h.calls, called{str(b, "id"), str(b, "name"), args})
		}
	}
	h.in, h.cached, h.out = num(usage, "input_tokens"), num(usage, "cache_read_input_tokens"), num(usage, "output_tokens")
	h.entries = []any{object{"role": "assistant", "content": blocks}}
	return h
}

func responsesFake() fake {
	return fake{
		name: "responses", path: "/v1/responses",
		request: func(said []any, stream bool) any {
			return object{"model": "m", "stream": stream, "input": said, "tools": []any{
				object{"type": "function", "name": "exec_command", "parameters": object{"properties": props([]string{"cmd"})}},
				object{"type": "custom", "name": "apply_patch"},
			}}
		},
		person: func(text string) any {
			return object{"type": "message", "role": "user", "content": []any{object{"type": "input_text", "text": text}}}
		},
		results: func(calls []called) (out []any) {
			for _, c := range calls {
				out = append(out, object{"type": "function_call_output", "call_id": c.id, "output": "ok"})
			}
			return out
		},
		hear: hearResponses,
	}
}

func hearResponses(events []object) (h heard) {
	whole := any(events[0])
	for _, e := range events {
		switch str(e, "type") {
		case "response.output_item.done":
			h.entries = append(h.entries, e["item"])
		case "response.completed":
			whole = e["response"]
		}
	}
	if len(h.entries) == 0 {
		h.entries = list(whole, "output")
	}
	for _, item := range h.entries {
		switch str(item, "type") {
		case "message":
			h.words += str(item, "content", 0, "text")
		case "function_call":
			h.calls = append(h.calls, called{str(item, "call_id"), str(item, "name"), decoded(str(item, "arguments"))})
		case "custom_tool_call":
			h.calls = append(h.calls, called{str(item, "call_id"), str(item, "name"), object{"free": str(item, "input")}})
		}
	}
	h.cached = num(whole, "usage", "input_tokens_details", "cached_tokens")
	h.in, h.out = num(whole, "usage", "input_tokens")-h.cached, num(whole, "usage", "output_tokens")
	return h
}

func chatFake() fake {
	return fake{
		name: "chat", path: "/v1/chat/completions",
		request: func(said []any, stream bool) any {
			tool := func(name string, params ...string) object {
				return object{"type": "function", "function": object{"name": name, "parameters": object{"properties": props(params)}}}
			}
			return object{"model": "m", "stream": stream, "messages": said, "tools": []any{
				tool("write", "filePath", "content"), tool("bash", "command", "description"),
			}}
		},
		person: func(text string) any { return object{"role": "user", "content": text} },
		results: func(calls []called) (out []any) {
			for _, c := range calls {
				out = append(out, object{"role": "tool", "tool_call_id": c.id, "content": "ok"})
			}
			return out
		},
		hear: hearChat,
	}
}

func hearChat(events []object) (h heard) {
	var usage any
	var calls []any
	for _, e := range events {
		delta := at(e, "choices", 0, "delta")
		if delta == nil {
			delta = at(e, "choices", 0, "message")
		}
		h.words += str(delta, "content")
		calls = append(calls, list(delta, "tool_calls")...)
		if u := e["usage"]; u != nil {
			usage = u
		}
	}
	for _, c := range calls {
		h.calls = append(h.calls, called{str(c, "id"), str(c, "function", "name"), decoded(str(c, "function", "arguments"))})
	}
	h.cached = num(usage, "prompt_tokens_details", "cached_tokens")
	h.in, h.out = num(usage, "prompt_tokens")-h.cached, num(usage, "completion_tokens")
	h.entries = []any{object{"role": "assistant", "content": h.words, "tool_calls": calls}}
	return h
}

func geminiFake() fake {
	return fake{
		name: "gemini", path: "/v1beta/models/m:streamGenerateContent",
		request: func(said []any, _ bool) any {
			tool := func(name string, params ...string) object {
				return object{"name": name, "parametersJsonSchema": object{"properties": props(params)}}
			}
			return object{"contents": said, "tools": []any{object{"functionDeclarations": []any{
				tool("write_file", "file_path", "content"), tool("run_shell_command", "command", "description"),
			}}}}
		},
		person: func(text string) any {
			return object{"role": "user", "parts": []any{object{"text": text}}}
		},
		results: func(calls []called) []any {
			var parts []any
			for _, c := range calls {
				parts = append(parts, object{"functionResponse": object{"id": c.id, "name": c.name, "response": object{"output": "ok"}}})
			}
			return []any{object{"role": "user", "parts": parts}}
		},
		hear: hearGemini,
	}
}

func hearGemini(events []object) (h heard) {
	var parts []any
	for _, e := range events {
		parts = append(parts, list(e, "candidates", 0, "content", "parts")...)
		if u := e["usageMetadata"]; u != nil {
			h.cached = num(u, "cachedContentTokenCount")
			h.in, h.out = num(u, "promptTokenCount")-h.cached, num(u, "candidatesTokenCount")
		}
	}
	for _, p := range parts {
		h.words += str(p, "text")
		if c := at(p, "functionCall"); c != nil {
			args, _ := at(c, "args").(object)
			h.calls = append(h.calls, called{str(c, "id"), str(c, "name"), args})
		}
	}
	h.entries = []any{object{"role": "model", "parts": parts}}
	return h
}

func props(names []string) object {
	out := object{}
	for _, n := range names {
		out[n] = json.RawMessage(`{"type":"string"}`)
	}
	return out
}
