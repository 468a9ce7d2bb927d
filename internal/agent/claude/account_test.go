package claude

import (
	"runtime"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/testing/agenttest"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	if a := none("darwin"); a.Login != agent.LoginUnknown || a.Fix == "" {
		t.Errorf("on macOS: %+v", a)
	}
	nobody := none(runtime.GOOS).Login
	const login = `{"claudeAiOauth":{"accessToken":"t","subscriptionType":"max"}}`
	agenttest.Accounts(t, Driver{}, []agenttest.AccountCase{
		{Name: "nothing", Login: nobody},
		{Name: "a subscription", Files: map[string]string{".claude/.credentials.json": login}, Login: agent.LoggedIn, Billing: agent.BilledSubscription, What: "a Claude subscription (max)"},
		{Name: "a key before it", Files: map[string]string{".claude/.credentials.json": login}, Env: []string{"ANTHROPIC_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledKey, From: "ANTHROPIC_API_KEY", Beside: 1},
		{Name: "an empty key is none", Env: []string{"ANTHROPIC_API_KEY="}, Login: nobody},
		{Name: "a cloud before all", Env: []string{"ANTHROPIC_API_KEY=k", "CLAUDE_CODE_USE_BEDROCK=1"}, Login: agent.LoggedIn, Billing: agent.BilledCloud, Beside: 1},
		{Name: "a key before a token", Env: []string{"CLAUDE_CODE_OAUTH_TOKEN=t", "ANTHROPIC_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledKey, Beside: 1},
		{Name: "a helper", Files: map[string]string{".claude/settings.json": `{"apiKeyHelper":"echo k"}`}, Login: agent.LoggedIn, Billing: agent.BilledKey},
		{Name: "a key in its settings", Files: map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_API_KEY":"k"}}`}, Login: agent.LoggedIn, Billing: agent.BilledKey},
		{Name: "another folder", Files: map[string]string{"else/.credentials.json": login}, Env: []string{"CLAUDE_CONFIG_DIR=HOME/else"}, Login: agent.LoggedIn, Billing: agent.BilledSubscription},
		{Name: "damaged", Files: map[string]string{".claude/.credentials.json": "{", ".claude/settings.json": "[]"}, Login: nobody},
		{Name: "logged out", Files: map[string]string{".claude/.credentials.json": `{"claudeAiOauth":{"accessToken":""}}`}, Login: nobody},
	})
}
