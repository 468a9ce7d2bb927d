package qwen

import (
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// protocols are the providers' protocols that the program speaks, each with the
// variables of its address and its key.
func protocols() map[string][2]string {
	return map[string][2]string{
		"openai":           {"OPENAI_BASE_URL", "OPENAI_API_KEY"},
		"openai-responses": {"OPENAI_BASE_URL", "OPENAI_API_KEY"},
		"anthropic":        {"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"},
		"gemini":           {"GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY"},
		"vertex-ai":        {"GOOGLE_VERTEX_BASE_URL", "GOOGLE_API_KEY"},
	}
}

// chosen returns the protocol that a flag of the agent or the settings choose,
// empty where neither does, and what chose it.
func chosen(a loop.Agent, env []string) (protocol, from string) {
	if i := slices.Index(a.Args, "--auth-type"); i >= 0 && i+1 < len(a.Args) {
		return a.Args[i+1], "args"
	}
	for _, arg := range a.Args {
		if value, is := strings.CutPrefix(arg, "--auth-type="); is {
			return value, "args"
		}
	}
	file := filepath.Join(agent.Folder(env, "QWEN_HOME", ".qwen"), "settings.json")
	var settings struct {
		Security struct {
			Auth struct {
				Selected string `json:"selectedType"`
			} `json:"auth"`
		} `json:"security"`
	}
	agent.ReadObject(file, &settings)
	return settings.Security.Auth.Selected, file
}

// Account is that of the key of the chosen protocol.
func (Driver) Account(a loop.Agent, env []string) agent.Account {
	protocol, from := chosen(a, env)
	names, known := protocols()[protocol]
	switch {
	case protocol == "":
		return agent.Account{Login: agent.LoggedOut, Fix: "start qwen once and log in, or set args: [--auth-type, openai] and OPENAI_API_KEY"}
	case !known:
		return agent.Account{Login: agent.LoginUnknown, What: "a login of the kind " + protocol, From: from, Billing: agent.BilledOther}
	case agent.Variable(env, names[1]) != "":
		return agent.Account{Login: agent.LoggedIn, Billing: agent.BilledKey, What: "the account of an API key (" + protocol + ")", From: names[1]}
	}
	return agent.Account{Login: agent.LoginUnknown, Billing: agent.BilledKey, What: "a key for " + protocol + " may be in its settings", From: from, Fix: "set " + names[1]}
}

// Credential returns the login of a run, by the chosen protocol.
func (Driver) Credential(a loop.Agent, env []string) agent.Credential {
	protocol, _ := chosen(a, env)
	names := protocols()[protocol]
	return agent.CredentialPlaces{
		Provider: "qwen " + protocol, Address: names[0], Keys: names[1:],
		File: filepath.Join(agent.Folder(env, "QWEN_HOME", ".qwen"), "settings.json"),
	}.In(env)
}

// Footprint returns what Qwen Code keeps and sets beside its work.
func (Driver) Footprint() agent.Footprint {
	return agent.Footprint{
		State:     []agent.StateDir{{Variable: "QWEN_HOME", Usual: ".qwen"}},
		Settings:  []string{"QWEN.md", "settings.json", "extensions", "commands", "skills", "agents"},
		Variables: []string{"QWEN_RUNTIME_DIR"},
		Mark:      "QWEN_CODE_SESSION_ID",
		Nested:    []string{"QWEN_CODE"},
	}
}

// Refuses returns nothing: no setting of an agent keeps Qwen Code from starting.
func (Driver) Refuses(loop.Agent, []string) (why, fix string) { return "", "" }
