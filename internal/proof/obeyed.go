package proof

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/scope"
)

// editorSettings are globs, in lower case, of files of a repository by which agents of any
// program, editors and git run commands or get instructions in later sessions.
var editorSettings = []string{
	"**/agents.md", "**/.mcp.json", "**/.agents/**", "**/.agent/**",
	".github/copilot-instructions.md", ".github/instructions/**", ".github/agents/**", ".github/prompts/**", ".github/chatmodes/**", ".github/hooks/**", ".github/skills/**",
	"**/.cursor/**", "**/.cursorrules", "**/.cursorignore", "**/.windsurf/**", "**/.windsurfrules", "**/.clinerules", "**/.clinerules/**", "**/.roo/**", "**/.roorules",
	"**/.kiro/**", "**/.junie/**", "**/.amazonq/**", "**/.continue/**", "**/.aider.conf.yml", "**/.goosehints", "**/.rules", "**/opencode.json", "**/opencode.jsonc",
	"**/.vscode/*.json", "**/*.code-workspace", "**/.zed/*.json", "**/.idea/runconfigurations/**", "**/.idea/externaltools.xml", "**/.idea/watchertasks.xml", "**/.run/*.run.xml",
	"**/.fleet/*.json", ".devcontainer/**", ".devcontainer.json", "**/.nvim.lua", "**/.nvimrc", "**/.exrc", "**/.dir-locals.el", "**/.lvimrc",
	"**/.githooks/**", "**/.git-hooks/**", "**/git-hooks/**", "**/.husky/**", "**/.pre-commit-config.y*ml", "**/lefthook.y*ml", "**/.lefthook/**", "**/.envrc",
}

// Obeyed are the changed files of the work that later runs obey, whatever the gates say
// of it: settings of agents and editors, and what the commands of set-up and teardown run.
// Sorted.
type Obeyed struct {
	Base, Work []File
	// Settings are further globs of files that programs of agents obey.
	Settings []string
	// Chores are the command lines of set-up and teardown.
	Chores []string
	// Permitted are globs of files that a person allowed the work to change, Task the text of
	// its task: what it names is wanted.
	Permitted []string
	Task      string
	Content   func(id string) ([]byte, error)
}

// Find returns these files.
func (o Obeyed) Find() (found []string, err error) {
	c := Case{Gate: loop.Gate{Run: strings.Join(o.Chores, "\n")}, Base: o.Base, Work: o.Work, Content: o.Content}
	d, err := c.survey()
	if err != nil || len(d.changed) == 0 {
		return nil, err
	}
	var texts []gateText
	if len(o.Chores) > 0 {
		if texts, err = d.gateTexts(); err != nil {
			return nil, err
		}
	}
	settings := slices.Concat(editorSettings, o.Settings)
	for _, p := range d.changed {
		switch {
		case scope.Match(o.Permitted, p) || o.wanted(p):
		case scope.Match(settings, strings.ToLower(p)):
			found = append(found, p)
		case slices.ContainsFunc(texts, func(t gateText) bool { return !isMakefile(p) && t.from == p || t.includes(p, ".") }):
			found = append(found, p+" (set-up or teardown runs it)")
		}
	}
	return found, nil
}

// wanted reports whether the task names a file, or the folder at the root that holds it.
func (o Obeyed) wanted(p string) bool {
	top, _, below := strings.Cut(p, "/")
	return strings.Contains(o.Task, p) || strings.Contains(o.Task, path.Base(p)) || below && strings.HasPrefix(top, ".") && len(top) > 1 && strings.Contains(o.Task, top+"/")
}
