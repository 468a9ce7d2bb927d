package plugin

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ralph"
)

// files returns the plugin's files by their names in the repository.
func files() (map[string][]byte, error) {
	out := map[string][]byte{}
	err := fs.WalkDir(ralph.Plugin, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out[name], err = ralph.Plugin.ReadFile(name)
		return err
	})
	return out, err
}

// hook is one command that an agent calls.
type hook struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty"`
}

// group is a list of hooks, in the form that all three programs share.
type group struct {
	Hooks []hook `json:"hooks"`
}

// hooks reads the plugin's hooks, the only place with their commands.
func hooks() (map[string][]group, error) {
	data, err := ralph.Plugin.ReadFile("plugin/hooks/hooks.json")
	if err != nil {
		return nil, err
	}
	var file struct {
		Hooks map[string][]group `json:"hooks"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read the plugin's hooks: %w", err)
	}
	return file.Hooks, nil
}

// hookEntries returns the plugin's hooks as elements of another file. named maps
// events to their names there; timeouts are multiplied by unit.
func hookEntries(named map[string]string, unit int) ([]entry, error) {
	all, err := hooks()
	var out []entry
	for event, groups := range all {
		for _, g := range groups {
			g.Hooks = slices.Clone(g.Hooks)
			for i := range g.Hooks {
				g.Hooks[i].Timeout *= unit
			}
			name := event
			if other := named[event]; other != "" {
				name = other
			}
			out = append(out, entry{path: []string{"hooks", name}, element: true, value: g, mark: markOf(g.Hooks[0].Command)})
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return strings.Compare(a.path[1], b.path[1]) })
	return out, err
}

// markOf returns the part of a hook's command that identifies it, such as
// "ralph hook stop", whatever precedes it.
func markOf(command string) string {
	if i := strings.LastIndex(command, "ralph hook "); i >= 0 {
		return command[i:]
	}
	return command
}

// server is the command line that starts ralph's tools.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func tools() server { return server{Command: "ralph", Args: []string{"mcp"}} }

// Content is a new file of a plan.
type Content struct{ Path, Text string }

// Contents returns the files of a plan as if none existed.
func Contents(p Plan) ([]Content, error) {
	var out []Content
	for _, part := range p.Parts {
		text, _, err := part.add(nil)
		if err != nil {
			return nil, &FileError{part.path(), err}
		}
		if text != nil {
			out = append(out, Content{part.path(), string(text)})
		}
	}
	return out, nil
}
