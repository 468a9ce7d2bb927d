//go:build unix

package acp

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/testing/agenttest"
)

// speaks returns the first lines of a program of that name, whose session has these
// members beside its id.
func speaks(name, session string) []string {
	return []string{
		"{{hear}}", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"` + name + `","version":"1.2.3"}}}`,
		"{{hear}}", `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s-1"` + session + `}}`, "{{hear}}",
	}
}

func updated(u string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":` + u + `}}`
}

func chunk(text string) string {
	return updated(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + text + `}}`)
}

// ended is the response to the prompt.
const ended = `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`

// fails is Codex's adapter when a turn has failed.
const fails = `{"sessionUpdate":"session_info_update","_meta":{"codex":{"threadStatus":{"type":"systemError"}}}}`

// Errors of the provider that programs put into the model's mouth, or into details,
// as they were recorded with Copilot CLI 1.0.102, codex-acp 2.6.0, Qwen Code 0.24.4
// and claude-agent-acp 0.101.0.
func TestErrorsInWords(t *testing.T) {
	t.Parallel()
	failed := func(code, data string) string {
		return `{"jsonrpc":"2.0","id":3,"error":{"code":` + code + `,"message":"Internal error","data":` + data + `}}`
	}
	for name, tt := range map[string]struct {
		program string
		lines   []string
		end     loop.End
		word    string
	}{
		"copilot 401": {"Copilot", []string{
			chunk(`"Info: Request failed due to a transient API error. Retrying..."`), updated(`{"sessionUpdate":"usage_update","used":9526,"size":128000}`),
			chunk(`"Error: Authentication failed with provider at http://127.0.0.1:4000/v1 (HTTP 401).\n  Check your COPILOT_PROVIDER_API_KEY."`), ended,
		}, loop.EndPermanent, "not logged in"},
		"copilot 404":           {"Copilot", []string{chunk(`"Error: Model 'm' not found on provider at http://127.0.0.1:4000/v1 (HTTP 404).\n  Check it."`), ended}, loop.EndPermanent, "unknown model"},
		"copilot 429":           {"Copilot", []string{chunk(`"Error: 429 Rate limit reached, please try again later"`), ended}, loop.EndTransient, "throttles"},
		"copilot 500":           {"Copilot", []string{chunk(`"Error: Failed to get response from the AI model; retried 5 times (total retry wait time: 16.27 seconds) Last error: 500 Internal server error"`), ended}, loop.EndTransient, "the provider fails"},
		"copilot overflow":      {"Copilot", []string{chunk(`"Error: 400 This model's maximum context length is 128000 tokens."`), ended}, loop.EndFailed, "context window overflowed"},
		"copilot goes on":       {"Copilot", []string{chunk(`"Error: 429 Rate limit reached"`), chunk(`"All done."`), ended}, loop.EndDone, ""},
		"copilot's model":       {"Copilot", []string{chunk(`"Error: the test prints 404"`), ended}, loop.EndDone, ""},
		"another model":         {"speaker", []string{chunk(`"Error: 429 Rate limit reached"`), ended}, loop.EndDone, ""},
		"codex 500":             {"@agentclientprotocol/codex-acp", []string{updated(fails), chunk(`"We’re currently experiencing high demand, which may cause temporary errors.\n\n"`), ended}, loop.EndTransient, "high demand"},
		"codex 404":             {"@agentclientprotocol/codex-acp", []string{updated(fails), chunk("\"The model `m` does not exist or you do not have access to it.\\n\\n\""), ended}, loop.EndPermanent, "unknown model"},
		"codex overflow":        {"@agentclientprotocol/codex-acp", []string{updated(fails), chunk(`"{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"prompt is too long\"}}\n\n"`), ended}, loop.EndFailed, "context window overflowed: prompt is too long"},
		"codex without a word":  {"@agentclientprotocol/codex-acp", []string{updated(fails), ended}, loop.EndFailed, "the turn failed"},
		"codex, the next turn":  {"@agentclientprotocol/codex-acp", []string{updated(fails), updated(strings.Replace(fails, "systemError", "active", 1)), chunk(`"All done."`), ended}, loop.EndDone, ""},
		"qwen 401":              {"qwen-code", []string{failed("-32603", `{"details":"401 Incorrect API key provided"}`)}, loop.EndPermanent, "Incorrect API key"},
		"qwen 429":              {"qwen-code", []string{failed("-32603", `{"details":"429 Rate limit reached"}`)}, loop.EndTransient, "throttles"},
		"qwen overflow":         {"qwen-code", []string{failed("-32603", `{"details":"400 This model's maximum context length is 128000 tokens."}`)}, loop.EndFailed, "context window overflowed"},
		"qwen, no connection":   {"qwen-code", []string{failed("-32603", `{"details":"Connection error."}`)}, loop.EndTransient, "Connection error"},
		"details of another":    {"speaker", []string{failed("-32603", `{"details":"it is broken"}`)}, loop.EndFailed, "Internal error: it is broken"},
		"claude, unknown model": {"@agentclientprotocol/claude-agent-acp", []string{failed("-32603", `{"errorKind":"model_not_found"}`)}, loop.EndPermanent, "unknown model"},
		"claude, no credit":     {"@agentclientprotocol/claude-agent-acp", []string{failed("-32603", `{"errorKind":"billing_error"}`)}, loop.EndPermanent, "payment"},
		"claude, a bad request": {"@agentclientprotocol/claude-agent-acp", []string{failed("-32603", `{"errorKind":"invalid_request"}`)}, loop.EndFailed, "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out := runs(t, nil, loop.PermissionsDefault, append(speaks(tt.program, ""), tt.lines...)); out.End != tt.end || !strings.Contains(out.Message, tt.word) {
				t.Errorf("it ended as %s (%q), want %s with %q", out.End, out.Message, tt.end, tt.word)
			}
		})
	}
}

func runs(t *testing.T, inside *proc.Sandbox, p loop.Permissions, lines []string) loop.Outcome {
	t.Helper()
	st := agenttest.NewStage(t, "speaker", agenttest.Scene{Steps: []agenttest.Step{agenttest.Out(lines...)}})
	st.Job.Agent.Argv, st.Job.Agent.Permissions, st.Job.Sandbox = []string{"speaker"}, p, inside
	out, err := Driver{}.Run(t.Context(), st.Job)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Usage that two programs tell in their own way: cached input is not counted twice.
func TestUsageByProgram(t *testing.T) {
	t.Parallel()
	for program, lines := range map[string][]string{
		"Copilot": {
			chunk(`"All done."`),
			`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","usage":{"inputTokens":3000,"outputTokens":150,"cachedReadTokens":600}}}`,
		},
		"qwen-code": {
			updated(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":""},"_meta":{"usage":{"inputTokens":1000,"outputTokens":50,"cachedReadTokens":200}}}`),
			updated(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"All done."},"_meta":{"usage":{"inputTokens":2000,"outputTokens":100,"cachedReadTokens":400}}}`),
			ended,
		},
	} {
		out := runs(t, nil, loop.PermissionsDefault, append(speaks(program, ""), lines...))
		if u := out.Usage; u.InputTokens == nil || *u.InputTokens != 2400 || *u.OutputTokens != 150 || *u.CacheReadTokens != 600 {
			t.Errorf("%s: %+v", program, u)
		}
	}
}

// A program that only reads by default is told to write, or refused before it is
// asked anything.
func TestModes(t *testing.T) {
	t.Parallel()
	modes := func(current string, ids ...string) string {
		return `,"modes":{"currentModeId":"` + current + `","availableModes":[{"id":"` + strings.Join(ids, `"},{"id":"`) + `"}]}`
	}
	told := []string{`{"jsonrpc":"2.0","id":3,"result":{}}`, "{{hear}}", chunk(`"All done."`), strings.Replace(ended, `"id":3`, `"id":4`, 1)}
	if out := runs(t, nil, loop.PermissionsDefault, append(speaks("codex-acp", modes("read-only", "read-only", "auto")), told...)); out.End != loop.EndDone {
		t.Errorf("told to write: %+v", out)
	}
	out := runs(t, nil, loop.PermissionsDefault, speaks("codex-acp", modes("read-only", "read-only")))
	if out.End != loop.EndPermanent || !strings.Contains(out.Message, `its mode "read-only" only reads`) {
		t.Errorf("refused: %s (%s)", out.End, out.Message)
	}
}

func TestFitting(t *testing.T) {
	t.Parallel()
	zed := []string{"read-only", "auto", "full-access"}
	qwen := []string{"plan", "default", "auto-edit", "auto", "yolo"}
	for name, tt := range map[string]struct {
		program string
		p       policy
		current string
		offered []string
		want    string
	}{
		"reads by default":          {"codex-acp", policy{}, "read-only", zed, "auto"},
		"in Landlock":               {"codex-acp", policy{alone: true}, "read-only", zed, "full-access"},
		"skips":                     {"codex-acp", policy{level: loop.PermissionsSkip}, "read-only", zed, "full-access"},
		"a reviewer":                {"codex-acp", policy{level: loop.PermissionsRead}, "auto", zed, "read-only"},
		"asks a model":              {"qwen-code", policy{}, "auto", qwen, "default"},
		"a reviewer asks ralph":     {"qwen-code", policy{level: loop.PermissionsRead}, "auto", qwen, "default"},
		"skips too":                 {"qwen-code", policy{level: loop.PermissionsSkip}, "auto", qwen, "yolo"},
		"fits":                      {"speaker", policy{}, "build", []string{"build", "plan"}, ""},
		"plans by default":          {"speaker", policy{}, "plan", []string{"build", "plan"}, "build"},
		"no modes":                  {"speaker", policy{}, "", nil, ""},
		"another one in Landlock":   {"speaker", policy{alone: true}, "build", []string{"build", "full-access"}, ""},
		"nothing to skip":           {"speaker", policy{level: loop.PermissionsSkip}, "build", []string{"build"}, ""},
		"the adapter's other names": {"@agentclientprotocol/codex-acp", policy{alone: true}, "agent", []string{"read-only", "agent", "agent-full-access"}, "agent-full-access"},
	} {
		got, err := fitting(tt.program, tt.p, tt.current, tt.offered)
		if got != tt.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}
