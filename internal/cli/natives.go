package cli

import (
	"ralph/internal/agent"
	"ralph/internal/agent/acp"
	"ralph/internal/agent/api"
	"ralph/internal/agent/claude"
	"ralph/internal/agent/codex"
	"ralph/internal/agent/command"
	"ralph/internal/agent/gemini"
	"ralph/internal/agent/human"
	"ralph/internal/agent/opencode"
	"ralph/internal/agent/script"
	"ralph/internal/loop"
)

// natives are the agents whose programs ralph drives through their own
// protocols, in the order in which they are looked for.
func natives() []agent.Native {
	return []agent.Native{claude.Driver{}, codex.Driver{}, gemini.Driver{}, opencode.Driver{}}
}

func nativeNames() []string {
	var all []string
	for _, n := range natives() {
		all = append(all, n.Program())
	}
	return all
}

// native is the driver of that name.
func native(name string) (agent.Native, bool) {
	for _, n := range natives() {
		if n.Program() == name {
			return n, true
		}
	}
	return nil, false
}

// drivers are all there are, by the name that an agent's use gives.
func drivers() map[string]agent.Driver {
	all := map[string]agent.Driver{"acp": acp.Driver{}, "api": api.Driver{}, "command": command.Driver{}, "script": script.Driver{}, "human": human.Driver{}}
	for _, n := range natives() {
		all[n.Program()] = n
	}
	return all
}

// commandWords are what will be started for an agent.
func commandWords(g loop.Agent) []string {
	if n, ok := native(g.Use); ok {
		return n.CommandLine(g)
	}
	return g.Argv
}
