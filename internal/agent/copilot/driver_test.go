package copilot

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
		Reads:   `--available-tools=view,grep,glob --disable-builtin-mcps`,
		Writes:  []string{"--allow", "shell", "write"},
		Version: "1.0.102",
		Begin: []string{
			`{"type":"session.tools_updated","data":{"model":"test-model"},"ephemeral":true}`,
			`{"type":"assistant.turn_start","data":{"turnId":"0"}}`,
		},
		Say: func(words string) string {
			return `{"type":"assistant.message","data":{"messageId":"m0","content":` + words + `,"toolRequests":[]}}`
		},
		Work: []string{
			`{"type":"tool.execution_start","data":{"toolCallId":"t1","toolName":"bash","arguments":{"command":"make"}}}`,
			`{"type":"tool.execution_complete","data":{"toolCallId":"t1","success":true,"result":{"content":"ok"}}}`,
		},
		Running: []string{`{"type":"tool.execution_start","data":{"toolCallId":"t1","toolName":"bash","arguments":{"command":"sleep 1000"}}}`},
		Done: []string{
			`{"type":"assistant.message","data":{"messageId":"m1","content":"All done.","toolRequests":[]}}`,
			`{"type":"result","sessionId":"{{session}}","exitCode":0,"usage":{"premiumRequests":1}}`,
			`{"modelMetrics":{"test-model":{"usage":{"inputTokens":10,"outputTokens":5,"cacheReadTokens":2,"cacheWriteTokens":0}}}}`,
		},
		Odd: []string{
			`{"type":"assistant.message","data":{"messageId":{},"content":"All done.","toolRequests":"none","parentToolCallId":null}}`,
			" \t" + `{"type":"result","sessionId":"{{session}}","exitCode":"0","usage":[]} ` + "\r",
			`{"modelMetrics":{"test-model":{"usage":{"inputTokens":"10","outputTokens":4.5,"cacheReadTokens":"2"}}}}`,
		},
		Trouble: []string{
			`{"type":"model.call_failure","data":{"statusCode":500,"failureKind":"api","errorMessage":"{\"message\":\"Internal server error\"}"}}`,
			`{"type":"assistant.turn_retry","data":{"turnId":"0","reason":"api_error"}}`,
			`{"type":"model.call_start","data":{"turnId":"0"}}`,
			`{"type":"model.call_failure","data":{"statusCode":500,"failureKind":"api","errorMessage":"{\"message\":\"Internal server error\"}"}}`,
			`{"type":"assistant.turn_retry","data":{"turnId":"0","reason":"api_error"}}`,
		},
		Provider: "the provider fails: Internal server error",
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

// The report on a resumed session counts the run before too.
func TestUsageOfAResumedSession(t *testing.T) {
	t.Parallel()
	d := &dialect{before: loop.Usage{InputTokens: new(int64(2400)), OutputTokens: new(int64(150)), CacheReadTokens: new(int64(600)), CacheWriteTokens: new(int64(0))}}
	got := agenttest.Read(launch(), func(agent.Job) stream.Dialect { return d },
		[]byte(`{"modelMetrics":{"m":{"usage":{"inputTokens":4000,"outputTokens":200,"cacheReadTokens":800,"cacheWriteTokens":0}}}}`+"\n"), nil, agent.Run{}).Outcome.Usage
	if *got.InputTokens != 800 || *got.OutputTokens != 50 || *got.CacheReadTokens != 200 || *got.CacheWriteTokens != 0 {
		t.Errorf("got %+v", got)
	}
}

// Limits of GitHub's that the scripted provider cannot show, in the words of its schema.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		f    failure
		call callFailure
		end  loop.End
	}{
		"a spent month":     {f: failure{Type: "quota", Code: "quota_exceeded", Status: 402}, end: loop.EndLimit},
		"a spent week":      {f: failure{Type: "rate_limit", Code: "user_weekly_rate_limited", Status: 429}, end: loop.EndLimit},
		"too many requests": {f: failure{Type: "rate_limit", Code: "user_model_rate_limited", Status: 429}, end: loop.EndTransient},
		"no payment":        {f: failure{Type: "quota", Code: "billing_not_configured"}, end: loop.EndPermanent},
		"a policy":          {f: failure{Type: "policy"}, end: loop.EndPermanent},
		"not allowed":       {f: failure{Type: "authorization", Status: 403}, end: loop.EndPermanent},
		"its own overflow":  {f: failure{Type: "context_limit"}, end: loop.EndFailed},
		"no connection":     {f: failure{Type: "query"}, call: callFailure{Kind: "transport"}, end: loop.EndTransient},
		"anything else":     {f: failure{Type: "query"}, end: loop.EndFailed},
	} {
		d := dialect{call: tt.call}
		if got := d.verdict(tt.f); got.End != tt.end {
			t.Errorf("%s: %+v, want %s", name, got, tt.end)
		}
	}
}

func TestAccount(t *testing.T) {
	t.Parallel()
	agenttest.Accounts(t, Driver{}, []agenttest.AccountCase{
		{Name: "nothing", Login: agent.LoginUnknown},
		{Name: "a token", Env: []string{"GH_TOKEN=t"}, Login: agent.LoggedIn, Billing: agent.BilledSubscription, From: "GH_TOKEN"},
		{Name: "its own token first", Env: []string{"GH_TOKEN=t", "COPILOT_GITHUB_TOKEN=u"}, Login: agent.LoggedIn, Billing: agent.BilledSubscription, From: "COPILOT_GITHUB_TOKEN", Beside: 1},
		{Name: "another provider", Env: []string{"GH_TOKEN=t", "COPILOT_PROVIDER_BASE_URL=http://localhost/v1"}, Login: agent.LoggedIn, Billing: agent.BilledOther, From: "COPILOT_PROVIDER_BASE_URL"},
	})
}

// Two accounts are not one, and a model is needed where GitHub does not choose it.
func TestCredentialAndRefusal(t *testing.T) {
	t.Parallel()
	d, own := Driver{}, []string{"COPILOT_PROVIDER_BASE_URL=http://localhost/v1", "COPILOT_PROVIDER_API_KEY=k"}
	if a, b := agent.QuotaOf(d, loop.Agent{}, own), agent.QuotaOf(d, loop.Agent{}, []string{"GH_TOKEN=k"}); a.Key == b.Key {
		t.Errorf("%+v and %+v", a, b)
	}
	for _, tt := range []struct {
		a    loop.Agent
		env  []string
		want bool
	}{
		{loop.Agent{}, own, true},
		{loop.Agent{Model: "m"}, own, false},
		{loop.Agent{}, append(own, "COPILOT_MODEL=m"), false},
		{loop.Agent{}, nil, false},
	} {
		if why, fix := d.Refuses(tt.a, tt.env); (why != "") != tt.want || (fix != "") != tt.want {
			t.Errorf("%+v: %q, %q", tt.a, why, fix)
		}
	}
}
