package config

import (
	"fmt"
	"slices"
	"strings"
)

func (c *checker) agent(path string, a Agent) {
	if a.Use == "" {
		c.fail(path, "the kind of agent is missing", "add `use: claude` or another known agent, `use: acp`, `use: api`, `use: command`, `use: human` or `use: script`")
		return
	}
	c.program(path, a)
	if a.Use == "api" {
		c.provider(path, a)
	}
	working := append(natives, "acp")
	models := append(natives, "api")
	for _, only := range []struct {
		key   string
		given bool
		kinds []string
	}{
		{"model", a.Model != "", models},
		{"permissions", a.Permissions != "", working},
		{"args", len(a.Args) > 0, natives},
		{"max_turns", a.MaxTurns.set, working},
		{"max_same_calls", a.MaxSameCalls.set, working},
		{"stall", a.Stall != 0, append(working, "api")},
		{"provider", a.Provider != "", []string{"api"}},
		{"base_url", a.BaseURL != "", []string{"api"}},
		{"key_env", a.KeyEnv != "", []string{"api"}},
		{"max_tokens", a.MaxTokens.set, []string{"api"}},
	} {
		if only.given && !slices.Contains(only.kinds, string(a.Use)) {
			c.fail(path+"."+only.key, fmt.Sprintf("an agent of kind %s has no %s", a.Use, only.key), "delete the key, or use one of "+strings.Join(only.kinds, ", "))
		}
	}
}

// program: most agents are one, and for the known ones it has a name.
func (c *checker) program(path string, a Agent) {
	has := len(a.Run.Argv) > 0
	switch {
	case a.Use == "human" && has:
		c.fail(path+".run", "a person runs no command", "delete the key, or write `use: command`")
	case a.Use == "api" && has:
		c.fail(path+".run", "a provider's interface runs no command", "delete the key, or write `use: command`")
	case a.Use == "acp" && a.Run.Shell:
		c.fail(path+".run", "the program must be a list of words", "write run: [gemini, --acp]")
	case a.Run.Shell && slices.Contains(natives, string(a.Use)) && strings.ContainsAny(a.Run.Argv[0], " \t\n"):
		c.fail(path+".run", "the program must be one word, or a list of words", "write run: "+flow(strings.Fields(a.Run.Argv[0])))
	case a.Use == "acp" && !has:
		c.fail(path, "the program is missing", "add run, such as run: [gemini, --acp]")
	case (a.Use == "command" || a.Use == "script") && !has:
		c.fail(path, "the program is missing", `add run, such as run: ["my-agent", "--non-interactive"]`)
	}
}

func (c *checker) provider(path string, a Agent) {
	if a.Provider == "" {
		c.fail(path, "the provider is missing", "add provider: anthropic, openai or ollama")
	}
	if a.Model == "" {
		c.fail(path, "the model is missing", "add model, in the provider's words")
	}
}
