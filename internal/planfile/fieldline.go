package planfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// fieldNames are the names of the field that a mistake is about, in Markdown and JSON; nil
// where it is about the task as a whole.
func fieldNames(k plan.Kind) []string {
	switch k {
	case plan.UnknownNeed, plan.Cycle:
		return []string{"dependencies", "depends on", "depends", "dependency", "needs", "dependson", "depends_on"}
	case plan.UnknownKind:
		return []string{"kind"}
	case plan.UnknownProof:
		return []string{"proof"}
	case plan.BadGlob:
		return []string{"may change", "may_change", "maychange"}
	case plan.BadLabel:
		return []string{"runs on", "runs_on", "runson"}
	}
	return nil
}

// atFields moves mistakes from the line where their task begins to the one of the field.
func (f File) atFields(text string, err error) error {
	wrong, _ := errors.AsType[plan.Errors](err)
	for _, e := range wrong {
		i := slices.IndexFunc(f.Plan.Tasks, func(t plan.Task) bool { return t.ID == e.Task && t.Line == e.Line })
		if names := fieldNames(e.Kind); names != nil && i >= 0 {
			if n := f.fieldLine(text, i, names, e.Other); n > 0 {
				e.Line = n
			}
		}
	}
	return err
}

// fieldLine returns the line of a field of task i: of the entry with that value, else of the
// field; 0 where there is none.
func (f File) fieldLine(text string, i int, names []string, value string) int {
	if h, ok := f.writer.(*jsonWriter); ok {
		return h.fieldLine(i, names, value)
	}
	if f.Format == RalphMD {
		front, _ := readFront(text) // that it can be read is known
		for key, v := range front.values {
			if slices.Contains(names, key) {
				return v.line
			}
		}
		return 0
	}
	end := 0
	for _, t := range f.Plan.Tasks {
		if t.Line > f.Plan.Tasks[i].Line && (end == 0 || t.Line < end) {
			end = t.Line
		}
	}
	return labelLine(scan(text, 0), f.Plan.Tasks[i].Line, end, names, value)
}

// labelLine returns the line of a labelled line in the lines from one to before another (0:
// the end of the file): the first with that value, else the first.
func labelLine(lines []line, from, end int, names []string, value string) int {
	first := 0
	for _, l := range lines {
		if l.n < from || end > 0 && l.n >= end || l.code {
			continue
		}
		m := label.FindStringSubmatch(l.text)
		if in := dependsOn.FindStringSubmatch(l.text); m == nil && in != nil {
			m = []string{in[0], "depends on", in[1]}
		}
		if m == nil || !slices.Contains(names, strings.ToLower(m[1])) {
			continue
		}
		if value != "" && strings.Contains(strings.ToLower(m[2]), strings.ToLower(value)) {
			return l.n
		}
		if first == 0 {
			first = l.n
		}
	}
	return first
}

// fieldLine is that of a task's object, or of the one that it is a part of.
func (h *jsonWriter) fieldLine(i int, names []string, value string) int {
	objects := []node{h.tasks[i]}
	for _, p := range h.parents {
		if slices.Contains(p.parts, i) {
			objects = append(objects, p.node)
		}
	}
	first := 0
	for _, o := range objects {
		for _, m := range o.fields {
			if !slices.Contains(names, strings.ToLower(m.name)) {
				continue
			}
			for _, item := range m.node.items {
				if on, ok := item.get("on"); ok {
					item = on
				}
				if fmt.Sprint(item.value) == value {
					return item.line
				}
			}
			if first == 0 {
				first = m.node.line
			}
		}
	}
	return first
}
