package plugin

import (
	_ "embed"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// claude gives a project hooks and tools in its settings. A user gets the whole
// plugin, with commands and skills, in a folder that the settings name: tried with
// Claude Code 2.1, headless too.
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

// claudeFiles returns the plugin's files in ralph's own folder, and removals of
// everything else there.
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

// codex gets hooks, tools, and ralph's state folder as a writable root of its
// sandbox: `ralph loop check` writes there, and the sandbox protects .git
// otherwise.
//
// Only that folder is named: a missing root makes the sandbox refuse every command
// in the repository (seen with 0.169), and .ralph may be deleted at any time;
// without it only views are not written.
func codex(s Scope, p Places) (Plan, error) {
	entries, err := hookEntries(nil, 1)
	root, dir := p.Project, ".codex/"
	if s == User {
		root, dir = p.CodexDir, ""
	}
	plan := Plan{Notes: []string{
		"Codex runs hooks only once they are trusted: it asks when a session starts; codex exec skips untrusted ones without a word.",
		"Codex asks before each of ralph's tools unless mcp_servers.ralph.default_tools_approval_mode is \"approve\"; tools run outside of its sandbox.",
	}}
	t := tables{server: tools()}
	switch {
	case p.State == "":
		plan.Notes = append(plan.Notes, "Run it again in each repository: there its state becomes writable in Codex's sandbox.")
	case s == Project:
		plan.Notes = append(plan.Notes, "Codex reads .codex/ only in projects that it trusts.")
		t.root, err = filepath.Rel(filepath.Join(p.Project, ".codex"), p.State)
		t.root = filepath.ToSlash(t.root)
	default:
		t.root = p.State
	}
	if p.State != "" {
		plan.Dirs = []string{p.State}
	}
	plan.Parts = []Part{{root, dir + "hooks.json", merged{entries}}, {root, dir + "config.toml", t}}
	return plan, err
}

// gemini has another name for the hook at the end of a turn, and timeouts in
// milliseconds.
func gemini(s Scope, p Places) (Plan, error) {
	entries, err := hookEntries(map[string]string{"Stop": "AfterAgent"}, 1000)
	entries = append(entries, entry{path: []string{"mcpServers", "ralph"}, value: tools()})
	plan := Plan{
		Parts: []Part{{p.GeminiDir, "settings.json", merged{entries}}},
		Notes: []string{"Gemini CLI asks before each of ralph's tools unless the session approves tools by itself."},
	}
	if s == Project {
		plan.Parts = []Part{{p.Project, ".gemini/settings.json", merged{entries}}}
		plan.Notes = append(plan.Notes, "Gemini CLI reads a project's settings only in folders that it trusts; --skip-trust leaves them out.")
	}
	return plan, err
}

type openCodeServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// openCode gets tools, and instructions instead of hooks.
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
			{root, "AGENTS.md", block{agentsText}},
		},
		Notes: []string{"opencode has no hook at the end of a turn that works headless: only these instructions hold a session to its gate."},
	}, nil
}

// agentsText is for agents that read AGENTS.md.
//
//go:embed agents.md
var agentsText string

func agentsMD(s Scope, p Places) (Plan, error) {
	if s == User {
		return Plan{}, &NotHereError{AgentsMD, s, "AGENTS.md belongs to a project", "leave out --scope user"}
	}
	return Plan{
		Parts: []Part{{p.Project, "AGENTS.md", block{agentsText}}},
		Notes: []string{"Only these instructions hold a session to its gate; there is no hook."},
	}, nil
}
