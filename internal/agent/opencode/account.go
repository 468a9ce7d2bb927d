package opencode

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// keys are the variables that its providers read, each with the provider.
func keys() [][2]string {
	return [][2]string{
		{"ANTHROPIC_API_KEY", "anthropic"},
		{"OPENAI_API_KEY", "openai"},
		{"OPENROUTER_API_KEY", "openrouter"},
		{"GEMINI_API_KEY", "google"},
		{"GOOGLE_GENERATIVE_AI_API_KEY", "google"},
		{"OPENCODE_API_KEY", "opencode"},
		{"XAI_API_KEY", "xai"},
		{"DEEPSEEK_API_KEY", "deepseek"},
		{"GROQ_API_KEY", "groq"},
		{"MISTRAL_API_KEY", "mistral"},
		{"AWS_BEARER_TOKEN_BEDROCK", "amazon-bedrock"},
		{"AZURE_API_KEY", "azure"},
	}
}

// Account is that of the configured model's provider; without a model it is the
// first provider of which there is a login, since which one the program takes it
// decides itself. It can also do without: with models on this machine, or with
// free ones of its own.
func (Driver) Account(a loop.Agent, env []string) agent.Account {
	wanted, _, _ := strings.Cut(a.Model, "/")
	var found agent.Logins
	add := func(kind agent.Billing, provider, what, from string) {
		if wanted == "" || wanted == provider {
			found.Add(kind, what, from)
		}
	}
	path := filepath.Join(agent.Folder(env, "XDG_DATA_HOME", ".local", "share"), "opencode", "auth.json")
	var logins map[string]struct {
		Type string `json:"type"`
	}
	agent.ReadObject(path, &logins)
	for _, provider := range slices.Sorted(maps.Keys(logins)) {
		if logins[provider].Type == "oauth" {
			add(agent.BilledSubscription, provider, "a subscription at "+provider, path)
			continue
		}
		add(agent.BilledKey, provider, "the account of a key for "+provider, path)
	}
	for _, key := range keys() {
		if agent.Variable(env, key[0]) != "" {
			add(agent.BilledKey, key[1], "the account of a key for "+key[1], key[0])
		}
	}
	configured(add, env)
	if wanted != "" {
		return found.First(agent.Account{Login: agent.LoginUnknown, What: "no login for " + wanted + " was found", Fix: "opencode auth login"})
	}
	return found.First(agent.Account{Login: agent.LoginUnknown, What: "no login was found; free models and local ones need none", Fix: "opencode auth login"})
}

// configured are providers of the person's own, with a key or an address.
func configured(add func(kind agent.Billing, provider, what, from string), env []string) {
	path := filepath.Join(agent.Folder(env, "XDG_CONFIG_HOME", ".config"), "opencode", "opencode.json")
	var settings struct {
		Provider map[string]struct {
			Options struct {
				Key string `json:"apiKey"`
				URL string `json:"baseURL"`
			} `json:"options"`
		} `json:"provider"`
	}
	agent.ReadObject(path, &settings)
	for _, name := range slices.Sorted(maps.Keys(settings.Provider)) {
		if o := settings.Provider[name].Options; o.Key != "" || o.URL != "" {
			add(agent.BilledOther, name, "the provider "+name, path)
		}
	}
}
