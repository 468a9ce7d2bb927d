package worker

import (
	"fmt"
	"slices"
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

// TestManyObeyedFilesHideNone: of more than are told, the first of each kind are.
func TestManyObeyedFilesHideNone(t *testing.T) {
	t.Parallel()
	var found []string
	for i := range 90 {
		found = append(found, fmt.Sprintf(".agents/skills/n%02d.md", i), fmt.Sprintf("a%02d/AGENTS.md", i))
	}
	last := []string{".github/dependabot.yml", ".github/workflows/ci.yml", "hooks/pre-commit (git runs it, by your configuration)", "z/CLAUDE.md"}
	got := firstOf(eachPlace(append(found, last...)))
	for _, f := range last {
		if !slices.Contains(got, f) {
			t.Errorf("%s is not told of: %v", f, got)
		}
	}
	if len(got) != mostTold+1 || got[mostTold] != "and 154 more in the diff" {
		t.Errorf("%d: %s", len(got), got[len(got)-1])
	}
}
