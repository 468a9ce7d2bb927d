package modelserver

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"
)

// gemini is the protocol of Google's models.
type gemini struct{}

func (gemini) read(r *http.Request, body []byte) (request, error) {
	var in struct {
		Contents []struct {
			Role  string          `json:"role"`
			Parts json.RawMessage `json:"parts"`
		} `json:"contents"`
		Tools []struct {
			Functions []struct {
				Name   string `json:"name"`
				Schema schema `json:"parameters"`
				JSON   schema `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	var c conversation
	for _, m := range in.Contents {
		switch m.Role {
		case "model":
			c.part(model, "")
		case "user", "":
			c.part(person, texts(m.Parts))
		default:
			c.part(tool, "")
		}
	}
	offered := tools{}
	for _, t := range in.Tools {
		for _, f := range t.Functions {
			offered[f.Name] = offer{params: append(f.Schema.names(), f.JSON.names()...)}
		}
	}
	name, method, _ := strings.Cut(path.Base(r.URL.Path), ":")
	return request{model: name, stream: strings.HasPrefix(method, "stream"), begin: c.begin, turn: c.turns, tools: offered}, nil
}

func (gemini) frame(a answer, parts []object, last bool) object {
	candidate := object{"index": 0, "content": object{"role": "model", "parts": parts}}
	out := object{"candidates": []object{candidate}, "modelVersion": a.model, "responseId": a.id}
	if last {
		candidate["finishReason"] = "STOP"
		in := a.usage.Input + a.usage.CacheRead
		out["usageMetadata"] = object{
			"promptTokenCount": in, "cachedContentTokenCount": a.usage.CacheRead,
			"candidatesTokenCount": a.usage.Output, "totalTokenCount": in + a.usage.Output,
		}
	}
	return out
}

func (gemini) parts(a answer) []object {
	var out []object
	if a.say != "" {
		out = append(out, object{"text": a.say})
	}
	for _, u := range a.calls {
		out = append(out, object{"functionCall": object{"id": u.id, "name": u.name, "args": u.args}})
	}
	return out
}

func (w gemini) whole(a answer) any { return w.frame(a, w.parts(a), true) }

func (w gemini) stream(a answer) []string {
	var out []string
	parts := w.parts(a)
	for i, p := range parts {
		out = append(out, event("", w.frame(a, []object{p}, i == len(parts)-1)))
	}
	if len(out) == 1 {
		// A stream that is cut needs a middle.
		out = append([]string{event("", w.frame(a, []object{{"text": ""}}, false))}, out...)
	}
	return out
}

func (gemini) refuse(f Fault) (any, map[string]string) {
	state, words, details := "INTERNAL", f.words(), []object{}
	switch {
	case f.Kind == Overflow:
		state, words = "INVALID_ARGUMENT", "The input token count exceeds the maximum number of tokens allowed (1048576)."
	case f.Kind == Spent:
		state, words = "RESOURCE_EXHAUSTED", "You exceeded your current quota."
		details = []object{{
			"@type":      "type.googleapis.com/google.rpc.QuotaFailure",
			"violations": []object{{"quotaMetric": "generate_content_requests", "quotaId": "GenerateRequestsPerDayPerProjectPerModel"}},
		}}
	case f.Status == 401:
		state, words = "UNAUTHENTICATED", "API key not valid. Please pass a valid API key."
	case f.Status == 403:
		state = "PERMISSION_DENIED"
	case f.Status == 404:
		state = "NOT_FOUND"
	case f.Status == 429:
		state = "RESOURCE_EXHAUSTED"
	case f.Status == 503, f.Status == 529:
		state = "UNAVAILABLE"
	}
	return object{"error": object{"code": f.Status, "message": words, "status": state, "details": details}}, nil
}
