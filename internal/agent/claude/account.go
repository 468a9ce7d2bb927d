package claude

import (
	"path/filepath"
	"runtime"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Account is found in the program's own order, which its "auth status" showed
// for version 2.1.329: a cloud, a token, a key, a helper, a subscription's token,
// and last the login of /login.
func (Driver) Account(_ loop.Agent, env []string) agent.Account {
	var found agent.Logins
	dir := agent.Folder(env, "CLAUDE_CONFIG_DIR", ".claude")
	var settings struct {
		Env    map[string]string `json:"env"`
		Helper string            `json:"apiKeyHelper"`
	}
	agent.ReadObject(filepath.Join(dir, "settings.json"), &settings)
	has := func(name string) bool {
		return agent.Variable(env, name) != "" || settings.Env[name] != ""
	}
	for _, cloud := range [][2]string{
		{"CLAUDE_CODE_USE_BEDROCK", "Amazon Bedrock"}, {"CLAUDE_CODE_USE_VERTEX", "Google Vertex AI"}, {"CLAUDE_CODE_USE_FOUNDRY", "Microsoft Foundry"},
	} {
		if has(cloud[0]) {
			found.Add(agent.BilledCloud, "your account at "+cloud[1], cloud[0])
		}
	}
	for _, key := range [][2]string{
		{"ANTHROPIC_AUTH_TOKEN", "the account of a gateway's token"}, {"ANTHROPIC_API_KEY", "the account of an API key, by the token"},
	} {
		if has(key[0]) {
			found.Add(agent.BilledKey, key[1], key[0])
		}
	}
	if settings.Helper != "" {
		found.Add(agent.BilledKey, "the account of the key that apiKeyHelper gives", filepath.Join(dir, "settings.json"))
	}
	if has("CLAUDE_CODE_OAUTH_TOKEN") {
		found.Add(agent.BilledSubscription, "a Claude subscription, by its token", "CLAUDE_CODE_OAUTH_TOKEN")
	}
	stored(&found, dir)
	return found.First(none(runtime.GOOS))
}

// stored is the login of /login.
func stored(found *agent.Logins, dir string) {
	var file struct {
		Login *struct {
			Token string `json:"accessToken"`
			Plan  string `json:"subscriptionType"`
		} `json:"claudeAiOauth"`
	}
	path := filepath.Join(dir, ".credentials.json")
	if !agent.ReadObject(path, &file) || file.Login == nil || file.Login.Token == "" {
		return
	}
	what := "a Claude subscription"
	if file.Login.Plan != "" {
		what += " (" + file.Login.Plan + ")"
	}
	found.Add(agent.BilledSubscription, what, path)
}

// none: on macOS the login lies in the keychain, where only the program looks.
func none(system string) agent.Account {
	if system == "darwin" {
		return agent.Account{Login: agent.LoginUnknown, What: "a login may be in the keychain", Fix: "claude auth status"}
	}
	return agent.Account{Login: agent.LoggedOut, Fix: "claude auth login, or set ANTHROPIC_API_KEY"}
}
