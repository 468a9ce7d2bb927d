package qwen

import (
	"flag"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/testing/agenttest"
)

var update = flag.Bool("update", false, "write what is made of the recorded runs into their files")

func TestMain(m *testing.M) { agenttest.Main(m) }

func TestContract(t *testing.T) {
	t.Parallel()
	agenttest.Contract(t, agenttest.Subject{
		Driver:  Driver{},
		Reads:   `--core-tools=read_file --core-tools=glob --core-tools=grep_search --core-tools=list_directory`,
		Writes:  []string{"run_shell", "--core-tools=edit", "write_file", "yolo", "auto-edit"},
		Version: "0.24.4",
		Begin: []string{
			`{"type":"system","subtype":"init","session_id":"{{session}}","cwd":"/repo/tree","tools":["edit"],"model":"test-model","permission_mode":"auto-edit","qwen_code_version":"0.24.4"}`,
		},
		Say: func(words string) string {
			return `{"type":"assistant","parent_tool_use_id":null,"message":{"id":"m0","role":"assistant","content":[{"type":"text","text":` + words + `}],"usage":{"input_tokens":0,"output_tokens":0}}}`
		},
		Work: []string{
			`{"type":"assistant","parent_tool_use_id":null,"message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"run_shell_command","input":{"command":"make"}}]}}`,
			`{"type":"user","parent_tool_use_id":null,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":false,"content":"ok"}]}}`,
		},
		Running: []string{
			`{"type":"assistant","parent_tool_use_id":null,"message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"run_shell_command","input":{"command":"sleep 1000"}}]}}`,
		},
		Done: []string{
			`{"type":"result","subtype":"success","session_id":"{{session}}","is_error":false,"num_turns":1,"result":"All done.","usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":2},"permission_denials":[]}`,
		},
		Odd: []string{
			" \t" + `{"type":"result","subtype":"success","session_id":12,"is_error":"false","num_turns":"1","result":"All done.","error":[],` +
				`"usage":{"input_tokens":"10","output_tokens":4.5,"cache_read_input_tokens":"2"},"permission_denials":{}} ` + "\r",
		},
		Trouble: []string{
			`{"type":"system","subtype":"retry","session_id":"s-1","data":{"reason":"retry","attempt":1,"maxRetries":10,"delayMs":60000}}`,
			`{"type":"stream_event","event":{"type":"goal_state"}}`,
			`{"type":"system","subtype":"retry","session_id":"s-1","data":{"reason":"retry"}}`,
		},
		Provider: "the provider does not answer",
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

// A resumed session's result counts the run before too.
func TestUsageOfAResumedSession(t *testing.T) {
	t.Parallel()
	d := &dialect{before: loop.Usage{InputTokens: new(int64(2400)), OutputTokens: new(int64(150)), CacheReadTokens: new(int64(600))}}
	got := agenttest.Read(launch(), func(agent.Job) stream.Dialect { return d },
		[]byte(`{"type":"result","subtype":"success","is_error":false,"result":"OK","usage":{"input_tokens":5000,"output_tokens":250,"cache_read_input_tokens":1000}}`+"\n"), nil, agent.Run{}).Outcome.Usage
	if *got.InputTokens != 1600 || *got.OutputTokens != 100 || *got.CacheReadTokens != 400 {
		t.Errorf("got %+v", got)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for message, end := range map[string]loop.End{
		"":                                loop.EndFailed,
		"anything":                        loop.EndFailed,
		"No auth type is selected. Do it": loop.EndPermanent,
		"[API Error: 401 Incorrect API key provided]":                                                   loop.EndPermanent,
		"[API Error: 404 The model does not exist]":                                                     loop.EndPermanent,
		"[API Error: 400 This model's maximum context length is 128000 tokens.]":                        loop.EndFailed,
		"[API Error: 400 Bad request]":                                                                  loop.EndFailed,
		"[API Error: 429 Rate limit reached]":                                                           loop.EndTransient,
		"[API Error: 429 Free allocated quota exceeded.]":                                               loop.EndLimit,
		"[API Error: 429 You exceeded your current quota, please check your plan and billing details.]": loop.EndPermanent,
		"[API Error: 503 Service unavailable]":                                                          loop.EndTransient,
		"[API Error: Connection error. (cause: fetch failed)]":                                          loop.EndTransient,
		"[API Error: Model stream ended with empty response text.]":                                     loop.EndFailed,
		"Loop detection halted the run (consecutive_identical_tool_calls)":                              loop.EndFailed,
		"The log says: [API Error: 401 refused]":                                                        loop.EndFailed,
	} {
		if got := verdict(message); got.End != end || got.Message == "" {
			t.Errorf("%q: %+v, want %s", message, got, end)
		}
	}
}

func TestAccount(t *testing.T) {
	t.Parallel()
	const chosen = `{"security":{"auth":{"selectedType":"openai"}}}`
	agenttest.Accounts(t, Driver{}, []agenttest.AccountCase{
		{Name: "nothing", Login: agent.LoggedOut},
		{Name: "a key alone is not used", Env: []string{"OPENAI_API_KEY=k"}, Login: agent.LoggedOut},
		{Name: "a key", Files: map[string]string{".qwen/settings.json": chosen}, Env: []string{"OPENAI_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledKey, From: "OPENAI_API_KEY"},
		{Name: "a key elsewhere", Files: map[string]string{".qwen/settings.json": chosen}, Login: agent.LoginUnknown, Billing: agent.BilledKey},
		{Name: "another folder", Files: map[string]string{"q/settings.json": chosen}, Env: []string{"QWEN_HOME=HOME/q", "OPENAI_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledKey},
		{Name: "another kind", Files: map[string]string{".qwen/settings.json": `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`}, Login: agent.LoginUnknown, Billing: agent.BilledOther},
	})
	for _, args := range [][]string{{"--auth-type", "openai"}, {"--auth-type=openai"}} {
		if got := (Driver{}).Account(loop.Agent{Args: args}, []string{"OPENAI_API_KEY=k"}); got.Login != agent.LoggedIn {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if a, b := agent.QuotaOf(Driver{}, loop.Agent{Args: []string{"--auth-type=openai"}}, []string{"OPENAI_API_KEY=k"}), agent.QuotaOf(Driver{}, loop.Agent{Args: []string{"--auth-type=openai"}}, []string{"OPENAI_API_KEY=l"}); a.Key == b.Key {
		t.Error("two keys are one account")
	}
}
