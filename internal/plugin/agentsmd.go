package plugin

import _ "embed"

// words are for agents that read AGENTS.md.
//
//go:embed agents.md
var words string

func agentsMD(s Scope, p Places) (Plan, error) {
	if s == User {
		return Plan{}, &NotHereError{AgentsMD, s, "AGENTS.md belongs to a project", "leave out --scope user"}
	}
	return Plan{
		Parts: []Part{{p.Project, "AGENTS.md", block{words}}},
		Notes: []string{"Nothing holds a session to its gate here but these words."},
	}, nil
}
