package stream

import (
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Overlay joins lists of KEY=value; later ones win.
func Overlay(lists ...[]string) []string {
	at := map[string]int{}
	var out []string
	for _, list := range lists {
		for _, entry := range list {
			name, _, _ := strings.Cut(entry, "=")
			if i, ok := at[name]; ok {
				out[i] = entry
				continue
			}
			at[name] = len(out)
			out = append(out, entry)
		}
	}
	return out
}

// Lookup is the value of a variable.
func Lookup(env []string, name string) string { return agent.Variable(env, name) }

// agentEnv is what a person configured for the agent.
func agentEnv(a loop.Agent) []string {
	var out []string
	for name, value := range a.Env {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}
