package planfile

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// document is a parsed Markdown file.
type document struct {
	name, text string
	front      frontmatter
	lines      []line
}

// readMarkdown reads a plan in one of the Markdown formats.
func readMarkdown(name, text string, as Format) (File, error) {
	front, err := readFront(text)
	if err != nil && (sectionsLike(front) || as == Sections) {
		return File{}, err
	}
	d := document{name: name, text: text, front: front, lines: scan(text, front.lines)}
	if as == "" {
		if as, err = d.format(); err != nil {
			return File{}, err
		}
	}
	switch as {
	case Sections:
		return d.readSections()
	case Tasks:
		return d.readTasks()
	case SpecKit:
		return d.readSpecKit()
	case OpenSpec, Kiro:
		return d.readNumbered(as)
	case Checklist:
		return d.readChecklist()
	case RalphMD:
		return d.readRalph()
	}
	return File{}, parseError(0, "leave the format out to have it detected", "this is Markdown, not a plan in the format %s", as)
}

// format detects the format by content, then by name.
func (d document) format() (Format, error) {
	slashed := "/" + strings.ReplaceAll(d.name, `\`, "/")
	all := boxes(d.lines)
	switch {
	case strings.Contains(slashed, "/backlog/tasks/"):
		return "", foreign("Backlog.md")
	case d.ralphLike(path.Base(slashed)):
		return RalphMD, nil
	case sectionsLike(d.front):
		return Sections, nil
	case most(all, func(b box) bool { return specKitTask.MatchString(b.text) }):
		return SpecKit, nil
	case strings.Contains(slashed, "/.kiro/specs/"):
		return Kiro, nil
	case strings.Contains(slashed, "/openspec/changes/"):
		return OpenSpec, nil
	case slices.ContainsFunc(d.lines, isTask):
		return Tasks, nil
	case most(all, func(b box) bool { return numberedBox.MatchString(b.text) }):
		return d.numberedFormat(all), nil
	case len(all) > 0 || named(d.name):
		return Checklist, nil
	case d.newSections():
		return Sections, nil
	}
	return "", unknown()
}

// most reports whether at least half of the boxes match, and at least one.
func most(all []box, such func(box) bool) bool {
	n := 0
	for _, b := range all {
		if such(b) {
			n++
		}
	}
	return n > 0 && 2*n >= len(all)
}

// named reports whether a file of this name is a checklist even while it is empty.
func named(name string) bool {
	switch strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/"))) {
	case "fix_plan.md", "implementation_plan.md", "todo.md":
		return true
	}
	return false
}

// warn adds a warning about a line.
func (f *File) warn(line int, format string, args ...any) {
	f.Warnings = append(f.Warnings, Warning{Line: line, Message: fmt.Sprintf(format, args...)})
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
