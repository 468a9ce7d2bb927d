package plugin

import (
	"path/filepath"
)

// codex gets hooks, tools, and ralph's state folder as a writable root of its
// sandbox: `ralph loop check` writes there, and the sandbox keeps .git from
// being written otherwise.
//
// Only that folder is named. A root that is not there makes the sandbox refuse
// every command in the repository (seen with 0.169), and .ralph may be deleted
// at any time; without it views are not written, and nothing else is missing.
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
