package plugin

// gemini has a hook of another name at the end of a turn, and counts timeouts
// in milliseconds.
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
