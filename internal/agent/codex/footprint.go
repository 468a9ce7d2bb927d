package codex

import (
	"cmp"
	"path/filepath"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Footprint returns what Codex keeps and sets beside its work. With version
// 0.169 its own sandbox does not start under Landlock rules; the driver switches it
// off there.
func (Driver) Footprint() agent.Footprint {
	return agent.Footprint{
		State:      []agent.StateDir{{Variable: "CODEX_HOME", Usual: ".codex"}},
		Settings:   []string{"AGENTS.md", "AGENTS.override.md", "config.toml", "prompts", "skills", "rules", "hooks.json"},
		Mark:       "CODEX_SANDBOX",
		SessionIDs: []string{"CODEX_SESSION_ID", "CODEX_THREAD_ID"},
		Nested:     []string{"CODEX_SANDBOX", "CODEX_SESSION_ID", "CODEX_THREAD_ID"},
		OwnSandbox: true,
	}
}

// Credential returns the login of a run: by a key, or of codex login.
func (Driver) Credential(_ loop.Agent, env []string) agent.Credential {
	return agent.CredentialPlaces{
		Provider: "openai", Address: "OPENAI_BASE_URL",
		Keys: []string{"CODEX_API_KEY"}, Last: []string{"OPENAI_API_KEY"},
		File: filepath.Join(cmp.Or(agent.Setting(env, "CODEX_HOME"), agent.Home(env, ".codex")), "auth.json"),
		ID:   []string{"tokens", "account_id"},
	}.In(env)
}

// Refuses returns nothing: no setting of an agent keeps Codex from starting.
func (Driver) Refuses(loop.Agent, []string) (why, fix string) { return "", "" }
