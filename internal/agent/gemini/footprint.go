package gemini

import (
	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Footprint returns what Gemini CLI keeps and sets beside its work.
func (Driver) Footprint() agent.Footprint {
	return agent.Footprint{
		State:    []agent.StateDir{{Variable: "GEMINI_CLI_HOME", Name: ".gemini"}},
		Settings: []string{"GEMINI.md", "settings.json", "extensions", "commands", "skills", "agents", "policies"},
		Clouds:   map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": ".config/gcloud", "GOOGLE_GENAI_USE_GCA": ".config/gcloud"},
		Mark:     "GEMINI_CLI",
		Nested:   []string{"GEMINI_CLI"},
	}
}

// Credential returns the login of a run: by a key, or of Google's account.
func (Driver) Credential(_ loop.Agent, env []string) agent.Credential {
	return agent.CredentialPlaces{
		Provider: "google", Address: "GOOGLE_GEMINI_BASE_URL",
		Keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"},
		File: agent.Home(env, ".gemini", "google_accounts.json"), ID: []string{"active"},
	}.In(env)
}

// Refuses returns nothing: no setting of an agent keeps Gemini CLI from starting.
func (Driver) Refuses(loop.Agent, []string) (why, fix string) { return "", "" }
