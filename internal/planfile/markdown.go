package planfile

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/plan"
)

// readMarkdown finds out which way of writing plans the text follows.
func readMarkdown(name, text string) (File, error) {
	front, rest, err := frontmatter(text)
	if err != nil && sectionsLike(front) {
		return File{}, err
	}
	lines := scan(text, rest)
	switch tool := otherTool(name, front, lines); {
	case tool != "":
		return File{}, foreign(tool)
	case sectionsLike(front):
		return readSections(front, lines)
	case slices.ContainsFunc(lines, func(l line) bool { return isTask(l) }):
		return readTasks(lines)
	case len(boxes(lines)) > 0 || named(name):
		return readChecklist(lines)
	}
	return File{}, unknown()
}

// named: a file of this name is a checklist, even if nothing stands in it yet.
func named(name string) bool {
	switch strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/"))) {
	case "fix_plan.md", "implementation_plan.md", "todo.md":
		return true
	}
	return false
}

var specKitTask = lazyregexp.New(`^T\d{3,}\b`)

// otherTool recognises files that hold checkboxes with a meaning that is not
// read yet: marks for what may run at once, optional tasks, numbers of parents.
func otherTool(name string, front map[string]frontValue, lines []line) string {
	slashed := "/" + strings.ReplaceAll(name, `\`, "/")
	switch {
	case strings.Contains(slashed, "/.kiro/specs/"):
		return "Kiro"
	case strings.Contains(slashed, "/openspec/changes/"):
		return "OpenSpec"
	case strings.Contains(slashed, "/backlog/tasks/"):
		return "Backlog.md"
	case len(front) > 0 && front["agent"].line > 0 && path.Base(slashed) == "RALPH.md":
		return "ralphify (RALPH.md)"
	}
	all := boxes(lines)
	numbered := 0
	for _, b := range all {
		if specKitTask.MatchString(b.text) {
			numbered++
		}
	}
	if numbered > 0 && 2*numbered >= len(all) {
		return "Spec Kit"
	}
	return ""
}

// inOrder makes each task wait for the one before it in the file.
func inOrder(tasks []plan.Task) {
	for i := 1; i < len(tasks); i++ {
		tasks[i].Needs = []plan.Need{{On: tasks[i-1].ID, Why: plan.Order}}
	}
}

func done(yes bool) plan.Status {
	if yes {
		return plan.Done
	}
	return plan.Pending
}
