// Package registry lists the drivers of all agents. No driver imports it; acp alone knows
// other drivers, those of the programs that it runs by another protocol.
package registry

import (
	"ralph/internal/agent"
	"ralph/internal/agent/acp"
	"ralph/internal/agent/api"
	"ralph/internal/agent/claude"
	"ralph/internal/agent/codex"
	"ralph/internal/agent/command"
	"ralph/internal/agent/copilot"
	"ralph/internal/agent/gemini"
	"ralph/internal/agent/human"
	"ralph/internal/agent/opencode"
	"ralph/internal/agent/qwen"
	"ralph/internal/agent/script"
	"ralph/internal/loop"
)

// Natives returns the drivers of programs with a protocol of their own, in the
// order in which they are looked for.
func Natives() []agent.Native {
	return []agent.Native{claude.Driver{}, codex.Driver{}, gemini.Driver{}, opencode.Driver{}, copilot.Driver{}, qwen.Driver{}}
}

// Collect returns what take finds in the footprint of each native agent.
func Collect(take func(agent.Footprint) []string) (all []string) {
	for _, n := range Natives() {
		all = append(all, take(n.Footprint())...)
	}
	return all
}

// Marks returns the variables that a command finds which an agent has started.
func Marks() []string {
	return Collect(func(f agent.Footprint) []string { return []string{f.Mark} })
}

// SessionIDs returns the variables with the id of an agent's session.
func SessionIDs() []string {
	return Collect(func(f agent.Footprint) []string { return f.SessionIDs })
}

// Names returns the names of the native agents.
func Names() []string {
	var all []string
	for _, n := range Natives() {
		all = append(all, n.Program())
	}
	return all
}

// Find returns the native driver of that name.
func Find(name string) (agent.Native, bool) {
	for _, n := range Natives() {
		if n.Program() == name {
			return n, true
		}
	}
	return nil, false
}

// Drivers returns all drivers, by the name in an agent's use.
func Drivers() map[string]agent.Driver {
	all := map[string]agent.Driver{"acp": acp.Driver{}, "api": api.Driver{}, "command": command.Driver{}, "script": script.Driver{}, "human": human.Driver{}}
	for _, n := range Natives() {
		all[n.Program()] = n
	}
	return all
}

// CommandWords returns the command that starts an agent.
func CommandWords(g loop.Agent) []string {
	if n, ok := Find(g.Use); ok {
		return n.CommandLine(g)
	}
	return g.Argv
}
