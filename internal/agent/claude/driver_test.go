package claude

import (
	"flag"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/testing/agenttest"
)

var update = flag.Bool("update", false, "write what is made of the recorded runs into their files")

func TestMain(m *testing.M) { agenttest.Main(m) }

func TestContract(t *testing.T) {
	t.Parallel()
	agenttest.Contract(t, agenttest.Subject{
		Driver:  Driver{},
		Reads:   `--tools Read,Glob,Grep --allowedTools Read,Glob,Grep --strict-mcp-config --permission-mode dontAsk`,
		Writes:  []string{"Bash", "Edit", "Write", "skip"},
		Version: "2.1.329",
		Begin: []string{
			`{"cwd":"/repo/tree","type":"system","subtype":"init","session_id":"{{session}}","model":"claude-test-1","claude_code_version":"2.1.329","tools":["Bash"]}`,
		},
		Say: func(words string) string {
			return `{"message":{"id":"m0","role":"assistant","content":[{"type":"text","text":` + words + `}]},"type":"assistant"}`
		},
		Work: []string{
			`{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]}}`,
			`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}`,
		},
		Running: []string{
			`{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"sleep 1000"}}]}}`,
		},
		Done: []string{
			`{"is_error":false,"subtype":"success","result":"All done.","terminal_reason":"completed","type":"result","session_id":"{{session}}","total_cost_usd":0.5,` +
				`"modelUsage":{},"model_usage_since_last_result":{"claude-test-1":{"inputTokens":10,"outputTokens":5,"costUSD":0.25,"contextWindow":200000}}}`,
		},
		Odd: []string{
			`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":{"at":1},"rateLimitType":5}}`,
			" \t" + `{"is_error":"false","subtype":"success","result":"All done.","terminal_reason":null,"type":"result","session_id":12,"total_cost_usd":"0.5","num_turns":"3",` +
				`"api_error_status":"none","api_error":{},"errors":"none","permission_denials":{},"usage":[],"modelUsage":[{}],` +
				`"model_usage_since_last_result":{"claude-test-1":{"inputTokens":"10","outputTokens":4.5,"costUSD":"0.25","contextWindow":"big"}}} ` + "\r",
		},
		Trouble: []string{
			`{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":529,"error":"server_error"}`,
			`{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"retry_delay_ms":900,"error_status":529,"error":"server_error"}`,
		},
		Provider: "the provider fails",
		Chosen:   true,
	})
}

func launch() stream.Launch { return stream.Launch{Tested: Driver{}.Tested(), Session: "s-1"} }

func fresh(agent.Job) stream.Dialect { return &dialect{} }

func TestRecordedRuns(t *testing.T) {
	t.Parallel()
	agenttest.Golden(t, *update, launch(), fresh)
}

func FuzzStream(f *testing.F) { agenttest.Fuzz(f, launch(), fresh) }
