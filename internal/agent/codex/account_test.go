package codex

import (
	"testing"

	"ralph/internal/agent"
	"ralph/internal/testing/agenttest"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	const key, config = `{"auth_mode":"apikey","OPENAI_API_KEY":"k"}`, ".codex/config.toml"
	chatgpt := func(token string) map[string]string {
		return map[string]string{".codex/auth.json": `{"OPENAI_API_KEY":null,"tokens":{"access_token":"a","id_token":"` + token + `"}}`}
	}
	agenttest.Accounts(t, Driver{}, []agenttest.AccountCase{
		{Name: "nothing", Login: agent.LoggedOut},
		{Name: "a stored key", Files: map[string]string{".codex/auth.json": key}, Login: agent.LoggedIn, Billing: agent.BilledKey},
		{Name: "a key of the environment", Files: map[string]string{".codex/auth.json": key}, Env: []string{"CODEX_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledKey, From: "CODEX_API_KEY", Beside: 1},
		{Name: "OpenAI's variable is not read", Env: []string{"OPENAI_API_KEY=k"}, Login: agent.LoggedOut},
		{
			Name: "a subscription", Files: chatgpt("e30.eyJodHRwczovL2FwaS5vcGVuYWkuY29tL2F1dGgiOnsiY2hhdGdwdF9wbGFuX3R5cGUiOiJwbHVzIn19.x"),
			Login: agent.LoggedIn, Billing: agent.BilledSubscription, What: "a ChatGPT subscription (plus)",
		},
		{Name: "a token of no kind", Files: chatgpt("x.%%.y"), Login: agent.LoggedIn, Billing: agent.BilledSubscription, What: "a ChatGPT subscription"},
		{Name: "the keyring", Files: map[string]string{config: "cli_auth_credentials_store = \"keyring\"\n"}, Login: agent.LoginUnknown},
		{
			Name: "another provider", Files: map[string]string{config: "model_provider = \"mine\"\n[model_providers.mine]\nenv_key = \"MY_KEY\"\n"},
			Env: []string{"MY_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledOther, From: "MY_KEY",
		},
		{Name: "without its key", Files: map[string]string{config: "model_provider = \"mine\"\n[model_providers.mine]\nenv_key = \"MY_KEY\"\n"}, Login: agent.LoggedOut, Billing: agent.BilledOther},
		{Name: "one that needs none", Files: map[string]string{config: "model_provider = \"local\"\n[model_providers.local]\nbase_url = \"http://127.0.0.1\"\n"}, Login: agent.LoginUnknown, Billing: agent.BilledOther},
		{Name: "damaged", Files: map[string]string{".codex/auth.json": "]", config: "= ="}, Login: agent.LoggedOut},
		{Name: "another folder", Files: map[string]string{"else/auth.json": key}, Env: []string{"CODEX_HOME=HOME/else"}, Login: agent.LoggedIn, Billing: agent.BilledKey},
	})
}
