package opencode

import (
	"cmp"
	"path/filepath"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Footprint returns what opencode keeps and sets beside its work.
func (Driver) Footprint() agent.Footprint {
	return agent.Footprint{
		State: []agent.StateDir{
			{Variable: "XDG_CONFIG_HOME", Usual: ".config", Name: "opencode"},
			{Variable: "XDG_DATA_HOME", Usual: ".local/share", Name: "opencode"},
			{Variable: "XDG_STATE_HOME", Usual: ".local/state", Name: "opencode"},
			{Variable: "XDG_CACHE_HOME", Usual: ".cache", Name: "opencode"},
		},
		Settings: []string{
			"AGENTS.md", "opencode.json", "opencode.jsonc", "config.json", "agent", "agents", "command", "commands", "plugin", "plugins", "skill", "skills", "tool", "tools", "mode", "modes",
		},
		Project:   []string{"**/opencode.json", "**/opencode.jsonc"},
		Folders:   []string{".opencode"},
		Variables: []string{"OPENCODE_CONFIG_DIR"},
		Clouds:    map[string]string{"AWS_PROFILE": ".aws", "GOOGLE_VERTEX_PROJECT": ".config/gcloud", "GOOGLE_CLOUD_PROJECT": ".config/gcloud"},
		Mark:      "OPENCODE_SESSION",
		Nested:    []string{"OPENCODE_SESSION"},
	}
}

// Credential returns the login of a run with the provider that the model names.
func (Driver) Credential(a loop.Agent, env []string) agent.Credential {
	provider, _, named := strings.Cut(a.Model, "/")
	if !named {
		provider = "opencode"
	}
	data := cmp.Or(agent.Setting(env, "XDG_DATA_HOME"), agent.Home(env, ".local", "share"))
	return agent.CredentialPlaces{
		Provider: provider, Address: strings.ToUpper(provider) + "_BASE_URL",
		Keys: map[string][]string{
			"anthropic": {"ANTHROPIC_API_KEY"}, "openai": {"OPENAI_API_KEY"}, "google": {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
		}[provider],
		File: filepath.Join(data, "opencode", "auth.json"),
	}.In(env)
}

// Refuses returns nothing: no setting of an agent keeps opencode from starting.
func (Driver) Refuses(loop.Agent, []string) (why, fix string) { return "", "" }
