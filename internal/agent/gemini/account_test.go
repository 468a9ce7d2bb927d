package gemini

import (
	"testing"

	"ralph/internal/agent"
	"ralph/internal/testing/agenttest"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	settings := func(kind string) map[string]string {
		return map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"` + kind + `"}}}`}
	}
	with := func(files map[string]string, name, text string) map[string]string {
		files[name] = text
		return files
	}
	agenttest.Accounts(t, Driver{}, []agenttest.AccountCase{
		{Name: "nothing", Login: agent.LoggedOut},
		{Name: "a key", Env: []string{"GEMINI_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledKey, From: "GEMINI_API_KEY"},
		{Name: "a key in its own file", Files: map[string]string{".gemini/.env": "# x\nexport GEMINI_API_KEY=\"k\"\n"}, Login: agent.LoggedIn, Billing: agent.BilledKey},
		{Name: "a key that was selected and is not there", Files: settings(byKey), Login: agent.LoggedOut, Billing: agent.BilledKey},
		{Name: "or is out of sight", Files: with(settings(byKey), ".gemini/gemini-credentials.json", "x"), Login: agent.LoginUnknown, Billing: agent.BilledKey},
		{Name: "Google's login before a key", Files: with(settings(byGoogle), ".gemini/oauth_creds.json", "{}"), Env: []string{"GEMINI_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledSubscription},
		{Name: "selected and never done", Files: settings(byGoogle), Login: agent.LoggedOut, Billing: agent.BilledSubscription},
		{Name: "Vertex by the environment", Env: []string{"GOOGLE_GENAI_USE_VERTEXAI=true", "GEMINI_API_KEY=k"}, Login: agent.LoggedIn, Billing: agent.BilledCloud},
		{Name: "a word that is not true", Env: []string{"GOOGLE_GENAI_USE_VERTEXAI=1"}, Login: agent.LoggedOut},
		{Name: "a kind that nobody knows", Files: settings("gateway"), Login: agent.LoginUnknown, Billing: agent.BilledOther},
		{Name: "damaged", Files: map[string]string{".gemini/settings.json": "{"}, Login: agent.LoggedOut},
	})
}
