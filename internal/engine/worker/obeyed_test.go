package worker

import (
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/scope"
)

// TestSettingGlobs: the files of a repository that programs of agents obey are known by the
// footprints of their drivers.
func TestSettingGlobs(t *testing.T) {
	t.Parallel()
	globs := registry.Collect(settingGlobs)
	for _, path := range []string{
		".claude/settings.json", "CLAUDE.md", "sub/CLAUDE.local.md", ".mcp.json", "tools/.claude-plugin/plugin.json",
		"opencode.json", "sub/opencode.jsonc", ".opencode/plugin/a.ts", ".gemini/settings.json", "GEMINI.md", ".qwen/settings.json", "AGENTS.md", ".codex/config.toml",
		".github/copilot-instructions.md", ".github/instructions/a.md", ".github/agents/a.md", ".github/prompts/a.md", ".github/chatmodes/a.md", ".github/hooks/a.json", ".github/skills/a/SKILL.md",
	} {
		if !scope.Match(globs, strings.ToLower(path)) {
			t.Errorf("no footprint names %s", path)
		}
	}
	own := settingGlobs(agent.Footprint{Project: []string{"**/New.json"}})
	if !scope.Match(own, "new.json") || !scope.Match(own, "sub/new.json") {
		t.Errorf("a file at the root that a new program obeys: %v", own)
	}
}
