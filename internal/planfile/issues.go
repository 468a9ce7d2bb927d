package planfile

import (
	"strconv"
	"strings"

	"ralph/internal/plan"
)

// A checklist may be divided into issues (seed 001): headings with a name in code,
// below each a line of the issues that it waits for, and its boxes.
//
//	#### Issue: `cli` - Commands
//	**Priority**: P1
//	**Depends on**: `core`
//	- [ ] …

// issue is one heading with the labels below it; line is that of its dependencies.
type issue struct {
	name     string
	line     int
	needs    []string
	priority string
	// first and last are its boxes, as indexes of tasks; last < first is none.
	first, last int
}

// issuesOf returns the issues of a document by the number of their headings; nil
// where none states a dependency.
func issuesOf(lines []line) map[int]*issue {
	all, part, stated := map[int]*issue{}, 0, false
	for _, l := range lines {
		if l.heading > 0 {
			part++
			if names := spans(l.title); len(names) > 0 {
				all[part] = &issue{name: names[0], last: -1}
			}
			continue
		}
		i, m := all[part], label.FindStringSubmatch(l.text)
		if i == nil || m == nil || l.code {
			continue
		}
		switch strings.ToLower(m[1]) {
		case "dependencies", "depends on":
			i.needs, i.line, stated = spans(m[2]), l.n, true
		case "priority":
			i.priority, _, _ = strings.Cut(strings.TrimSpace(m[2]), " ")
		}
	}
	if !stated {
		return nil
	}
	return all
}

// linkIssues orders tasks by their issues: boxes of one issue follow one another, its
// first waits for the last of each issue that it names. all are the boxes of the
// tasks.
func (f *File) linkIssues(lines []line, all []item) {
	issues := issuesOf(lines)
	if issues == nil {
		return
	}
	named := map[string]*issue{}
	for n, it := range all {
		i := issues[it.part]
		if i == nil {
			continue
		}
		if i.last < 0 {
			i.first, named[i.name] = n, i
		}
		i.last = n
		f.Plan.Tasks[n].Priority, _ = strconv.Atoi(strings.TrimPrefix(strings.ToUpper(i.priority), "P"))
	}
	for _, i := range named {
		f.Plan.Tasks[i.first].Needs = nil
	}
	for n, it := range all {
		i := issues[it.part]
		if i == nil || i.first != n {
			continue
		}
		for _, name := range i.needs {
			if on := named[name]; on != nil && on != i {
				f.Plan.Tasks[n].Needs = append(f.Plan.Tasks[n].Needs, plan.Need{On: f.Plan.Tasks[on.last].ID, Why: plan.Stated})
			} else {
				f.warn(i.line, "%s depends on %s, which is no other heading with boxes", quote(i.name), quote(name))
			}
		}
	}
}
