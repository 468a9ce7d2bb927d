package judge

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

func TestObeyed(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"a.py": "x", "CLAUDE.md": "x", ".vscode/tasks.json": "{}", "docs/notes.md": "x", "tools/setup.sh": "sh tools/more.sh\n. ./lib/x\n", "tools/more.sh": "x", "lib/x": "x",
		"tools/deploy.sh": "x", "tools/down.py": "x", "Makefile": "deps:\n\tsh tools/fetch.sh\ndeploy:\n\tsh tools/deploy.sh\n", "tools/fetch.sh": "x", "package.json": "{}",
		"scripts/unit.sh": "python3 -m unittest\n./tax | diff - expected.txt\n", "verify.py": "import json, wanted, tax\nassert tax.tax() == json.load(open(\"cases.json\")) == wanted.CASES\nimport rates\njson.load(open(\"rates.json\"))\n",
		"cases.json": "x", "rates.json": "x", "expected.txt": "x", "wanted.py": "CASES = [1]\n", "rates.py": "RATES = [1]\n", "tax.py": "import rates\nopen(\"rates.json\")\n",
		"verify.js": "const { tax } = require(\"./tax.js\"); require('./cases.js').forEach(tax)\n", "cases.js": "module.exports = [1]\n", "tax.js": "exports.tax = (c) => c\n",
		"tools/gen.py": "import rates\nfrom tax import x\nfrom .near import y\n", "tools/gen.js": "const n = require('./near')\n", "b.go": "package a\n\n//go:generate stringer\n",
		"plan.md": "### Task 1: a\n- [ ] x\n\n**Verify:** `make`\n", "plan.json": "{\"tasks\": [\n{\"title\": \"a\",\n\"proof\": \"red\"}]}\n", "notes.md": "**Kind:** of blue\n",
	}
	chores := []string{"sh tools/setup.sh", "make deps", "python3 tools/down.py"}
	for what, c := range map[string]struct {
		chores  []string
		changes prooftest.Tree
		task    string
		permits []string
		want    []string
	}{
		"settings of agents":                      {nil, prooftest.Tree{".claude/settings.json": "y", "sub/.gemini/settings.json": "y", ".mcp.json": "y", "sub/AGENTS.md": "y", "Claude.md": "y", "a.py": "y", "docs/notes.md": "y"}, "", nil, []string{".claude/settings.json", ".mcp.json", "Claude.md", "sub/.gemini/settings.json", "sub/AGENTS.md"}},
		"settings of editors":                     {nil, prooftest.Tree{".vscode/tasks.json": "", ".cursor/rules/a.mdc": "y", ".idea/runConfigurations/a.xml": "y", ".idea/misc.xml": "y", ".devcontainer/devcontainer.json": "y"}, "", nil, []string{".cursor/rules/a.mdc", ".devcontainer/devcontainer.json", ".idea/runConfigurations/a.xml", ".vscode/tasks.json"}},
		"hooks of git":                            {nil, prooftest.Tree{".githooks/pre-commit": "y", ".pre-commit-config.yaml": "y"}, "", nil, []string{".githooks/pre-commit", ".pre-commit-config.yaml"}},
		"the task names it":                       {nil, prooftest.Tree{"CLAUDE.md": "y", ".vscode/settings.json": "y"}, "Say in CLAUDE.md how to test, and set .vscode/ up.", nil, nil},
		"a bare repository":                       {nil, prooftest.Tree{"sub/HEAD": "ref: refs/heads/main\n", "sub/config": "[core]\n\tfsmonitor = ./x\n", "sub/objects/.keep": "y", "sub/refs/.keep": "y", "other/config": "y", "other/HEAD": "y"}, "", nil, []string{"sub/config (a repository inside the tree: git does what its settings say)"}},
		"by permission":                           {chores, prooftest.Tree{"CLAUDE.md": "y", "tools/setup.sh": "y"}, "", []string{"tools/**", "CLAUDE.md"}, nil},
		"what set-up runs":                        {chores, prooftest.Tree{"tools/setup.sh": "y", "tools/more.sh": "y", "tools/down.py": "y", "tools/fetch.sh": "y", "tools/deploy.sh": "y", "lib/x": "y", "package.json": "{ }"}, "", nil, []string{"lib/x (set-up or teardown runs it)", "tools/down.py (set-up or teardown runs it)", "tools/fetch.sh (set-up or teardown runs it)", "tools/more.sh (set-up or teardown runs it)", "tools/setup.sh (set-up or teardown runs it)"}},
		"what a program of it imports":            {[]string{"python3 tools/gen.py", "node tools/gen.js"}, prooftest.Tree{"rates.py": "y", "lib/tax/__init__.py": "y", "tools/near.py": "y", "tools/near.js": "y", "a.py": "y"}, "", nil, []string{"lib/tax/__init__.py (set-up or teardown runs it)", "rates.py (set-up or teardown runs it)", "tools/near.js (set-up or teardown runs it)", "tools/near.py (set-up or teardown runs it)"}},
		"what go generate runs":                   {[]string{"go generate ./..."}, prooftest.Tree{"a.go": "package a\n\n//go:generate sh x.sh\n", "b.go": "package a\n\n//go:generate stringer\n\nvar b int\n", "c.go": "package a\n"}, "", nil, []string{"a.go (set-up or teardown runs its go:generate)"}},
		"what git is told to run":                 {nil, prooftest.Tree{"tools/hooks/post-checkout": "y", "tools/hooks.md": "y", "hooks/post-checkout": "y", "lib/hooks/use.ts": "y"}, "", nil, []string{"hooks/post-checkout", "tools/hooks/post-checkout"}},
		"what git is told to run by another name": {nil, prooftest.Tree{"git-tools/checks": "y", "git-tools2/checks": "y"}, "", nil, []string{"git-tools/checks (git runs it, by your configuration)"}},
		"what other gates run":                    {nil, prooftest.Tree{"scripts/unit.sh": "y", "verify.py": "y", "tools/deploy.sh": "y"}, "", nil, []string{"scripts/unit.sh (a gate of other work runs it)", "verify.py (a gate of other work runs it)"}},
		"what other gates read":                   {nil, prooftest.Tree{"cases.json": "y", "rates.json": "y", "expected.txt": "y", "wanted.py": "CASES = [2]\n", "rates.py": "RATES = [2]\n", "tax.py": "RATE = 20\n", "cases.js": "y", "tax.js": "y"}, "", nil, []string{"cases.js (a gate of other work compares with it)", "cases.json (a gate of other work reads it)", "expected.txt (a gate of other work reads it)", "wanted.py (a gate of other work compares with it)"}},
		"what other gates shall run":              {nil, prooftest.Tree{"tools/later.sh": "y", "tools/unnamed.sh": "y", "made.py": "y"}, "", nil, []string{"tools/later.sh (a gate of other work runs it, and it is new)"}},
		"a goal that other gates make":            {nil, prooftest.Tree{"Makefile": "deps:\n\tsh tools/fetch.sh\ndeploy:\n\tsh tools/deploy.sh\nlint:\n\ttrue\n"}, "", nil, []string{"Makefile (a gate of other work runs it)"}},
		"a goal that no gate makes":               {nil, prooftest.Tree{"Makefile": "deps:\n\tsh tools/fetch.sh\ndeploy:\n\tsh tools/deploy.sh\nclean:\n\ttrue\n"}, "", nil, nil},
		"the task names a script":                 {nil, prooftest.Tree{"scripts/unit.sh": "y"}, "scripts/unit.sh checks the names, too", nil, nil},
		"services of integration":                 {nil, prooftest.Tree{".github/workflows/ci.yml": "y", "Jenkinsfile": "y"}, "", nil, []string{".github/workflows/ci.yml", "Jenkinsfile"}},
		"services and their people":               {nil, prooftest.Tree{".github/dependabot.yml": "y", "renovate.json": "y", ".github/CODEOWNERS": "y", "AGENT.md": "y", ".env": "y", ".ci/run": "y", "app/renovate.json": "y", "docs/agent.md": "y"}, "", nil, []string{".ci/run", ".env", ".github/CODEOWNERS", ".github/dependabot.yml", "AGENT.md", "renovate.json"}},
		"what judges the tasks of a plan":         {nil, prooftest.Tree{"plan.md": "### Task 1: a\n- [ ] x\n\n**Verify:** `true`\n", "plan.json": "{\"tasks\": [\n{\"title\": \"a\",\n\"proof\": \"none\"}]}\n", "notes.md": "**Kind:** of green\n"}, "", nil, []string{"plan.json (a plan: it changes what judges its tasks)", "plan.md (a plan: it changes what judges its tasks)"}},
		"ticks and texts of a plan":               {nil, prooftest.Tree{"plan.md": "### Task 1: b\n- [x] y\n\n**Verify:** `make`\n", "new.md": "### Task 1: a\n- [ ] x\n\n**Proof:** none\n"}, "", nil, nil},
		"no set-up":                               {nil, prooftest.Tree{"tools/setup.sh": "y"}, "", nil, nil},
		"set-up of a manifest":                    {[]string{"npm ci"}, prooftest.Tree{"tools/setup.sh": "y", "package.json": "{ }"}, "", nil, nil},
	} {
		work := maps.Clone(base)
		for p, text := range c.changes {
			if work[p] = text; text == "" {
				delete(work, p)
			}
		}
		s := prooftest.Store{}
		got, err := Obeyed{Base: s.Add(base), Work: s.Add(work), Settings: []string{"**/.claude/**", "**/claude.md", "**/.gemini/**", "**/.mcp.json"}, GitRuns: []string{"git-tools"}, Chores: c.chores, Gates: []string{"python3 made.py"}, OtherGates: []string{"sh scripts/unit.sh", "python3 verify.py", "node verify.js", "sh tools/later.sh", "python3 made.py --version", "make lint"}, Permitted: c.permits, Task: c.task, Content: s.Read}.Find()
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}
