package copilot

import (
	"path/filepath"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// tokens are the variables of a login at GitHub, in the program's order.
func tokens() []string { return []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"} }

// Account is that of another provider where the environment names one, else of a
// token, else of the login of copilot login, which the system's keyring hides.
func (Driver) Account(_ loop.Agent, env []string) agent.Account {
	if at := agent.Variable(env, "COPILOT_PROVIDER_BASE_URL"); at != "" {
		return agent.Account{Login: agent.LoggedIn, Billing: agent.BilledOther, What: "the provider at " + at, From: "COPILOT_PROVIDER_BASE_URL"}
	}
	var found agent.Logins
	for _, name := range tokens() {
		if agent.Variable(env, name) != "" {
			found.Add(agent.BilledSubscription, "a GitHub Copilot subscription, by a token", name)
		}
	}
	return found.First(agent.Account{Login: agent.LoginUnknown, What: "a login may be in the system's keyring", Fix: "copilot login, or set COPILOT_GITHUB_TOKEN"})
}

// Credential returns the login of a run: at another provider, or at GitHub.
func (Driver) Credential(_ loop.Agent, env []string) agent.Credential {
	if agent.Setting(env, "COPILOT_PROVIDER_BASE_URL") != "" {
		return agent.CredentialPlaces{
			Provider: "copilot", Address: "COPILOT_PROVIDER_BASE_URL",
			Keys: []string{"COPILOT_PROVIDER_BEARER_TOKEN", "COPILOT_PROVIDER_API_KEY"}, File: configFile(env),
		}.In(env)
	}
	return agent.CredentialPlaces{Provider: "github-copilot", Address: "GH_HOST", Keys: tokens(), File: configFile(env)}.In(env)
}

func configFile(env []string) string {
	return filepath.Join(agent.Folder(env, "COPILOT_HOME", ".copilot"), "config.json")
}

// Footprint returns what Copilot keeps and sets beside its work.
func (Driver) Footprint() agent.Footprint {
	return agent.Footprint{
		State: []agent.StateDir{
			{Variable: "COPILOT_HOME", Usual: ".copilot"},
			{Variable: "XDG_CACHE_HOME", Usual: ".cache", Name: "copilot"},
		},
		Settings: []string{"copilot-instructions.md", "instructions", "mcp-config.json", "agents", "skills", "hooks", "installed-plugins"},
		Project: []string{
			".github/copilot-instructions.md", ".github/instructions/**", ".github/agents/**", ".github/prompts/**",
			".github/chatmodes/**", ".github/hooks/**", ".github/skills/**",
		},
		Mark:   "COPILOT_AGENT_SESSION_ID",
		Nested: []string{"COPILOT_AGENT_SESSION_ID", "COPILOT_CLI", "COPILOT_LOADER_PID"},
	}
}

// Refuses returns an explanation where Copilot would not start: another provider
// needs a model.
func (Driver) Refuses(a loop.Agent, env []string) (why, fix string) {
	set := func(name string) bool { return a.Env[name] != "" || agent.Variable(env, name) != "" }
	if !set("COPILOT_PROVIDER_BASE_URL") || a.Model != "" || set("COPILOT_MODEL") || set("COPILOT_PROVIDER_MODEL_ID") {
		return "", ""
	}
	return "Copilot needs a model for another provider", "set model for this agent, or COPILOT_MODEL"
}
