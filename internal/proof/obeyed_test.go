package proof

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObeyed(t *testing.T) {
	t.Parallel()
	base := tree{
		"a.py": "x", "CLAUDE.md": "x", ".vscode/tasks.json": "{}", "docs/notes.md": "x", "tools/setup.sh": "sh tools/more.sh\n. ./lib/x\n", "tools/more.sh": "x", "lib/x": "x",
		"tools/deploy.sh": "x", "tools/down.py": "x", "Makefile": "deps:\n\tsh tools/fetch.sh\ndeploy:\n\tsh tools/deploy.sh\n", "tools/fetch.sh": "x", "package.json": "{}",
	}
	chores := []string{"sh tools/setup.sh", "make deps", "python3 tools/down.py"}
	for what, c := range map[string]struct {
		chores  []string
		changes tree
		task    string
		permits []string
		want    []string
	}{
		"settings of agents":   {nil, tree{".claude/settings.json": "y", "sub/.gemini/settings.json": "y", ".mcp.json": "y", "sub/AGENTS.md": "y", "Claude.md": "y", "a.py": "y", "docs/notes.md": "y"}, "", nil, []string{".claude/settings.json", ".mcp.json", "Claude.md", "sub/.gemini/settings.json", "sub/AGENTS.md"}},
		"settings of editors":  {nil, tree{".vscode/tasks.json": "", ".cursor/rules/a.mdc": "y", ".idea/runConfigurations/a.xml": "y", ".idea/misc.xml": "y", ".devcontainer/devcontainer.json": "y"}, "", nil, []string{".cursor/rules/a.mdc", ".devcontainer/devcontainer.json", ".idea/runConfigurations/a.xml", ".vscode/tasks.json"}},
		"hooks of git":         {nil, tree{".githooks/pre-commit": "y", ".pre-commit-config.yaml": "y"}, "", nil, []string{".githooks/pre-commit", ".pre-commit-config.yaml"}},
		"the task names it":    {nil, tree{"CLAUDE.md": "y", ".vscode/settings.json": "y"}, "Say in CLAUDE.md how to test, and set .vscode/ up.", nil, nil},
		"by permission":        {chores, tree{"CLAUDE.md": "y", "tools/setup.sh": "y"}, "", []string{"tools/**", "CLAUDE.md"}, nil},
		"what set-up runs":     {chores, tree{"tools/setup.sh": "y", "tools/more.sh": "y", "tools/down.py": "y", "tools/fetch.sh": "y", "tools/deploy.sh": "y", "lib/x": "y", "package.json": "{ }"}, "", nil, []string{"lib/x (set-up or teardown runs it)", "tools/down.py (set-up or teardown runs it)", "tools/fetch.sh (set-up or teardown runs it)", "tools/more.sh (set-up or teardown runs it)", "tools/setup.sh (set-up or teardown runs it)"}},
		"no set-up":            {nil, tree{"tools/setup.sh": "y"}, "", nil, nil},
		"set-up of a manifest": {[]string{"npm ci"}, tree{"tools/setup.sh": "y", "package.json": "{ }"}, "", nil, nil},
	} {
		work := maps.Clone(base)
		for p, text := range c.changes {
			if work[p] = text; text == "" {
				delete(work, p)
			}
		}
		s := store{}
		got, err := Obeyed{Base: s.add(base), Work: s.add(work), Settings: []string{"**/.claude/**", "**/claude.md", "**/.gemini/**"}, Chores: c.chores, Permitted: c.permits, Task: c.task, Content: s.read}.Find()
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}
