package planfile

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// below writes the lines under a box: the text, and criteria as boxes.
func (b *page) below(t plan.Task) {
	// The numbers of tasks are others now.
	text := strings.TrimSpace(dependsLine.ReplaceAllString(t.Text, ""))
	b.body("  ", text)
	b.permission(t)
	boxed := boxTexts(boxes(scan(text, 0)))
	for _, c := range t.Criteria {
		if c = oneLine(c); !slices.Contains(boxed, c) {
			b.line("  - [%s] %s", tickOfStatus(t.Status), c)
		}
	}
}

func renderChecklist(p plan.Plan) string {
	var b page
	b.title(plan.Plan{Title: p.Title})
	group := ""
	for i, t := range p.Tasks {
		if t.Group != group || i == 0 {
			group = t.Group
			b.line("")
			if group != "" {
				b.line("## %s\n", oneLine(group))
			}
		}
		b.line("- [%s] %s", tickOfStatus(t.Status), oneLine(t.Title))
		b.below(t)
	}
	return b.String()
}

// renderSpecKit writes one phase: first the tasks without dependencies, in
// parallel, then the others with their dependencies.
func renderSpecKit(p plan.Plan) string {
	slices.SortStableFunc(p.Tasks, func(a, b plan.Task) int { return min(len(a.Needs), 1) - min(len(b.Needs), 1) })
	var b page
	b.line("# %s\n\n## Phase 1: Tasks\n", oneLine("Tasks: "+strings.TrimLeft(strings.TrimPrefix(p.Title, "Tasks:"), " ")))
	id := map[string]string{}
	for i, t := range p.Tasks {
		id[t.ID] = fmt.Sprintf("T%03d", i+1)
		words := []string{"- [" + strings.ToUpper(tickOfStatus(t.Status)) + "]", id[t.ID]}
		if len(t.Needs) == 0 {
			words = append(words, "[P]")
		}
		for _, l := range t.Labels {
			words = append(words, "["+oneLine(strings.Trim(l, "[]"))+"]")
		}
		words = append(words, oneLine(inlineNeeds.ReplaceAllString(t.Title, "")))
		var on []string
		for _, n := range t.Needs {
			on = append(on, id[n.On])
		}
		if len(on) > 0 {
			words = append(words, "(depends on "+strings.Join(on, ", ")+")")
		}
		b.line("%s", strings.Join(words, " "))
		b.below(t)
	}
	return b.String()
}

// renderOpenSpec numbers tasks within their groups. The format expresses
// dependencies only by order.
func renderOpenSpec(p plan.Plan) string {
	var b page
	group, part, n := "", 0, 0
	for i, t := range p.Tasks {
		if i == 0 || t.Group != group {
			group, part, n = t.Group, part+1, 0
			if i > 0 {
				b.line("")
			}
			b.line("## %d. %s\n", part, openSpecGroup(group))
		}
		n++
		b.line("- [%s] %d.%d %s", tickOfStatus(t.Status), part, n, oneLine(t.Title))
		b.below(t)
	}
	return b.String()
}

// openSpecGroup returns a heading without its number.
func openSpecGroup(group string) string {
	if m := numberedBox.FindStringSubmatch(group); m != nil {
		group = m[4]
	}
	if group == "" {
		return "Tasks"
	}
	return oneLine(group)
}

func renderKiro(p plan.Plan) string {
	var b page
	title := p.Title
	if title == "" {
		title = "Implementation Plan"
	}
	b.line("# %s\n", oneLine(title))
	number := map[string]int{}
	last := 0 // the last task that the next one waits for, if it says nothing
	for i, t := range p.Tasks {
		number[t.ID] = i + 1
		star := ""
		if t.Optional {
			star = "*"
		}
		mark := tickOfStatus(t.Status)
		if t.Status == plan.Running {
			mark = "-"
		}
		b.line("- [%s]%s %d. %s", mark, star, i+1, oneLine(t.Title))
		b.below(t)
		if refs := missingFrom(t.Refs, t.Text); len(refs) > 0 {
			b.line("  - _Requirements: %s_", strings.Join(refs, ", "))
		}
		var on []string
		for _, n := range t.Needs {
			on = append(on, fmt.Sprint(number[n.On]))
		}
		switch {
		case len(on) == 1 && on[0] == fmt.Sprint(last), len(on) == 0 && last == 0:
		case len(on) == 0:
			b.line("  - _Depends: none_")
		default:
			b.line("  - _Depends: %s_", strings.Join(on, ", "))
		}
		if !t.Optional {
			last = i + 1
		}
	}
	return b.String()
}
