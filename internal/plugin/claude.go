package plugin

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// claude gives a project hooks and tools in its own settings. A person gets the
// whole plugin, with commands and skills, in a folder that their settings name:
// seen to load with Claude Code 2.1, headless too.
func claude(s Scope, p Places) (Plan, error) {
	if s == Project {
		entries, err := hookEntries(nil, 1)
		return Plan{
			Parts: []Part{
				{p.Project, ".claude/settings.json", merged{entries}},
				{p.Project, ".mcp.json", merged{[]entry{{path: []string{"mcpServers", "ralph"}, value: tools()}}}},
			},
			Notes: []string{"Claude Code asks once whether the tools of .mcp.json may be used.", "The commands /ralph:… and the skills come with --scope user."},
		}, err
	}
	parts, dir, err := claudeFiles(p)
	parts = append(parts, Part{p.ClaudeDir, "settings.json", merged{[]entry{
		{path: []string{"extraKnownMarketplaces", "ralph"}, value: marketplace{location{"directory", dir}}},
		{path: []string{"enabledPlugins", "ralph@ralph"}, value: true},
	}}})
	return Plan{
		Parts: parts,
		Notes: []string{"The first session after this sets the plugin up; hooks and tools are there from the second on.", "For one session, without settings: claude --plugin-dir " + filepath.Join(dir, "plugin")},
	}, err
}

type marketplace struct {
	Source location `json:"source"`
}

type location struct {
	Source string `json:"source"`
	Path   string `json:"path"`
}

// claudeFiles are the plugin's own files, in a folder of ralph's, where nothing
// else is to be.
func claudeFiles(p Places) (parts []Part, dir string, err error) {
	const name = "ralph/claude/"
	dir = filepath.Join(p.Data, filepath.FromSlash(name))
	all, err := files()
	for _, f := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, Part{p.Data, name + f, whole{all[f]}})
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if rel, relErr := filepath.Rel(dir, path); err == nil && relErr == nil && d.Type().IsRegular() && all[filepath.ToSlash(rel)] == nil {
			parts = append(parts, Part{p.Data, name + filepath.ToSlash(rel), absent{}})
		}
		return nil
	})
	return parts, dir, err
}
