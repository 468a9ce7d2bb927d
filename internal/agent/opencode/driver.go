package opencode

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs opencode.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is opencode.
func (Driver) Program() string { return "opencode" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "1.18", To: "1.18"} }

// Capabilities: a limit cannot be distinguished from too many requests.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Cost: true, Denials: true, Resume: true}
}

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "") }

func argv(a loop.Agent, resume string) []string {
	out := append(agent.ProgramOf(a, "opencode"), "run", "--format", "json", "--print-logs", "--title", "ralph")
	if resume != "" {
		out = append(out, "--session", resume)
	}
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--auto")
	case loop.PermissionsRead:
		out = append(out, "--agent", Reader)
	}
	return append(out, a.Args...)
}

// Run runs opencode once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	resume := ""
	if job.Resume != nil {
		resume = job.Resume.Session
	}
	env := Configure(&job)
	job.Patience.Stall = max(job.Patience.Stall, job.Patience.Tool) // a tool at work cannot be distinguished from silence
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, resume), Env: env, Session: resume, Tested: d.Tested(),
		Ask: agent.ProgramOf(job.Agent, "opencode"), TempDir: true,
		// A compacted conversation continues after a step that looked like the
		// last.
		Linger: 12,
	}, &dialect{})
}

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

// configured adds providers that the user has configured, with a key or an
// address.
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
