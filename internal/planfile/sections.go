package planfile

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"ralph/internal/plan"
)

// sectionsLike: the frontmatter has a key that only seed 003's plans have.
func sectionsLike(front map[string]frontValue) bool {
	for _, key := range []string{"gaps", "edge_cases", "progress", "last_review"} {
		if _, ok := front[key]; ok {
			return true
		}
	}
	return false
}

// readSections reads seed 003's plan: each ## heading is a unit of work that
// waits for the one before. The frontmatter says which are complete.
func readSections(front map[string]frontValue, lines []line) (File, error) {
	f := File{Format: Sections}
	f.Plan.Title = firstTitle(lines)
	ids := names{}
	var start int
	close := func(end int) {
		if n := len(f.Plan.Tasks); n > 0 {
			f.Plan.Tasks[n-1].Text = body(lines[start:end])
		}
	}
	for i, l := range lines {
		if l.heading != 1 && l.heading != 2 {
			continue
		}
		close(i)
		start = len(lines)
		if l.heading == 2 {
			f.Plan.Tasks = append(f.Plan.Tasks, plan.Task{ID: ids.of(l.title), Title: l.title, Status: plan.Pending, Line: l.n})
			start = i + 1
		}
	}
	if start < len(lines) {
		close(len(lines))
	}
	inOrder(f.Plan.Tasks)
	return f, progress(front, f.Plan.Tasks)
}

// progress takes over what the frontmatter says about the units.
func progress(front map[string]frontValue, tasks []plan.Task) error {
	whole := front["status"].text()
	switch whole {
	case "", "pending", "in_progress":
	case "complete", "archived":
		for i := range tasks {
			tasks[i].Status = plan.Done
		}
	default:
		return wrong(front["status"].line, "write pending, in_progress, complete or archived", "the status %s is not known", quote(whole))
	}
	if whole == "archived" {
		return nil
	}
	v := front["progress"]
	if v.node == nil || v.node.Kind == yaml.ScalarNode && v.node.Tag == "!!null" {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		return wrong(v.line, "write a list of sections", "progress is no list")
	}
	var errs error
	for _, item := range v.node.Content {
		errs = both(errs, unit(item, tasks))
	}
	return errs
}

// unit takes over one entry of progress: section and status.
func unit(item *yaml.Node, tasks []plan.Task) error {
	at := item.Line + 1
	var entry struct{ Section, Status string }
	if item.Kind != yaml.MappingNode || item.Decode(&entry) != nil || entry.Section == "" {
		return wrong(at, "write section: and status:", "an entry of progress has no section")
	}
	var found []int
	for i, t := range tasks {
		if named, _, _ := strings.Cut(t.Title, ":"); strings.EqualFold(t.Title, entry.Section) || strings.EqualFold(strings.TrimSpace(named), entry.Section) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return wrong(at, "name it as the heading does", "progress names the section %s, and there is no such heading", quote(entry.Section))
	case 1:
	default:
		return wrong(at, "write the whole heading", "progress names the section %s, and %d headings begin like this", quote(entry.Section), len(found))
	}
	status, ok := map[string]plan.Status{
		"": plan.Pending, "pending": plan.Pending, "in_progress": plan.Running, "complete": plan.Done,
	}[entry.Status]
	if !ok {
		return wrong(at, "write pending, in_progress or complete", "the status %s is not known", quote(entry.Status))
	}
	tasks[found[0]].Status = status
	return nil
}
