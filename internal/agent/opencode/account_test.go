package opencode

import (
	"testing"

	"ralph/internal/agent"
	"ralph/internal/testing/agenttest"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	const file = ".local/share/opencode/auth.json"
	logins := map[string]string{file: `{"openai":{"type":"api","key":"k"},"anthropic":{"type":"oauth","access":"a"}}`}
	agenttest.Accounts(t, Driver{}, []agenttest.AccountCase{
		{Name: "nothing", Login: agent.LoginUnknown},
		{Name: "the first login", Files: logins, Login: agent.LoggedIn, Billing: agent.BilledSubscription, What: "a subscription at anthropic", Beside: 1},
		{Name: "the model's", Files: logins, Model: "openai/gpt-5", Login: agent.LoggedIn, Billing: agent.BilledKey},
		{Name: "none for the model", Files: logins, Model: "groq/x", Login: agent.LoginUnknown},
		{Name: "a variable", Env: []string{"GROQ_API_KEY=k"}, Model: "groq/x", Login: agent.LoggedIn, Billing: agent.BilledKey, From: "GROQ_API_KEY"},
		{
			Name: "a provider of one's own", Files: map[string]string{".config/opencode/opencode.json": `{"provider":{"ollama":{"options":{"baseURL":"http://127.0.0.1"}},"other":{}}}`},
			Model: "ollama/qwen3", Login: agent.LoggedIn, Billing: agent.BilledOther,
		},
		{Name: "another folder", Files: map[string]string{"else/opencode/auth.json": `{"xai":{"type":"api"}}`}, Env: []string{"XDG_DATA_HOME=HOME/else"}, Login: agent.LoggedIn, Billing: agent.BilledKey},
		{Name: "damaged", Files: map[string]string{file: "no"}, Login: agent.LoginUnknown},
	})
}
