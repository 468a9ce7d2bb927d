package plugin

import (
	"os"
	"path/filepath"
)

type openCodeServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// openCode gets tools, and words where its hooks would be.
func openCode(s Scope, p Places) (Plan, error) {
	root := p.Project
	if s == User {
		root = filepath.Join(p.Config, "opencode")
	}
	name := "opencode.json"
	if _, err := os.Stat(filepath.Join(root, "opencode.jsonc")); err == nil {
		name = "opencode.jsonc"
	}
	t := tools()
	return Plan{
		Parts: []Part{
			{root, name, merged{[]entry{{path: []string{"mcp", "ralph"}, value: openCodeServer{"local", append([]string{t.Command}, t.Args...), true}}}}},
			{root, "AGENTS.md", block{words}},
		},
		Notes: []string{"opencode has no hook at the end of a turn that works headless: nothing holds a session to its gate there but these words."},
	}, nil
}
