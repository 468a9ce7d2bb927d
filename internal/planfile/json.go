package planfile

import (
	"encoding/json"
	"slices"
	"strconv"
)

// readJSON reads a plan in one of the JSON formats.
func readJSON(text string, as Format) (File, error) {
	top, err := parseJSON(text)
	if err != nil {
		return File{}, err
	}
	if as == "" {
		if as, err = jsonFormat(top); err != nil {
			return File{}, err
		}
	}
	r := &reader{source: text, top: top}
	switch as {
	case Object:
		return r.readObject()
	case PRD:
		return r.readPRD()
	case Stories:
		return r.readStories()
	case Features:
		return r.readFeatures()
	case Taskmaster:
		return r.readTaskmaster()
	}
	return File{}, parseError(0, "leave the format out to have it detected", "this is JSON, not a plan in the format %s", as)
}

func jsonFormat(top node) (Format, error) {
	if s, ok := top.get("schema"); ok && s.value == Schema {
		return Object, nil
	}
	if top.kind == list {
		return listFormat(top.items)
	}
	if top.has("userStories") {
		return Stories, nil
	}
	if l, ok := top.get("features"); ok && l.kind == list {
		return listFormat(l.items)
	}
	tasks, ok := top.get("tasks")
	switch {
	case ok && tasks.kind == list && !taskmasterLike(tasks.items):
		return PRD, nil
	case ok || slices.ContainsFunc(top.fields, func(f field) bool { return f.node.has("tasks") }):
		return Taskmaster, nil
	}
	return "", unknown()
}

// listFormat distinguishes features, which have steps and no title, from stories.
func listFormat(items []node) (Format, error) {
	switch {
	case len(items) == 0 || slices.ContainsFunc(items, func(n node) bool { return n.has("title") }):
		return Stories, nil
	case slices.ContainsFunc(items, func(n node) bool { return n.has("description") && n.has("passes", "steps") }):
		return Features, nil
	}
	return "", unknown()
}

// taskmasterLike reports whether tasks have fields or statuses that seed 002
// lacks.
func taskmasterLike(tasks []node) bool {
	return slices.ContainsFunc(tasks, func(t node) bool {
		s, _ := t.get("status")
		switch s.value {
		case "in-progress", "review", "deferred", "cancelled", "completed":
			return true
		}
		return t.has("subtasks", "testStrategy", "details")
	})
}

// reader reads typed fields of objects and collects the mistakes.
type reader struct {
	source string
	top    node
	err    error
}

func (r *reader) fail(n node, hint, what string) {
	r.err = both(r.err, parseError(n.line, hint, "%s", what))
}

// text reads a string; a missing field is "".
func (r *reader) text(n node, names ...string) string {
	f, ok := n.get(names...)
	if !ok {
		return ""
	}
	s, ok := f.value.(string)
	if !ok || f.kind != scalar {
		r.fail(f, "write text", names[0]+" is not text")
	}
	return s
}

// id reads a string, or a whole number as some tools write them.
func (r *reader) id(n node, what string) string {
	if n.kind == scalar {
		switch v := n.value.(type) {
		case string:
			return v
		case json.Number:
			if _, err := v.Int64(); err == nil {
				return v.String()
			}
		}
	}
	r.fail(n, "write text", what+" is neither text nor a whole number")
	return ""
}

// number reads a whole number; given reports whether the field is present.
func (r *reader) number(n node, name string) (v int, given bool) {
	f, ok := n.get(name)
	if !ok {
		return 0, false
	}
	if number, is := f.value.(json.Number); is {
		if v, err := strconv.ParseInt(number.String(), 10, 32); err == nil {
			return int(v), true
		}
	}
	r.fail(f, "write a whole number", name+" is not a whole number")
	return 0, false
}

func (r *reader) yes(n node, name string) bool {
	f, ok := n.get(name)
	if !ok {
		return false
	}
	v, ok := f.value.(bool)
	if !ok {
		r.fail(f, "write true or false", name+" is neither true nor false")
	}
	return v
}

// texts reads a list of strings; a single string is a list of one.
func (r *reader) texts(n node, name string) []string {
	f, ok := n.get(name)
	if !ok {
		return nil
	}
	if s, ok := f.value.(string); ok {
		return []string{s}
	}
	if f.kind != list {
		r.fail(f, "write a list", name+" is not a list")
		return nil
	}
	var out []string
	for _, item := range f.items {
		if s, ok := item.value.(string); ok {
			out = append(out, s)
			continue
		}
		r.fail(item, "write text", "an item of "+name+" is not text")
	}
	return out
}

// ids reads a list of ids of other tasks.
func (r *reader) ids(n node, names ...string) []string {
	f, ok := n.get(names...)
	if !ok {
		return nil
	}
	if f.kind != list {
		r.fail(f, "write a list of ids", names[0]+" is not a list")
		return nil
	}
	var out []string
	for _, item := range f.items {
		out = append(out, r.id(item, "an item of "+names[0]))
	}
	return out
}
