package planfile

import (
	"encoding/json"
	"strconv"
)

// find is the field of that name, whatever its value.
func (n *node) find(name string) (*field, bool) {
	for i := range n.fields {
		if n.fields[i].name == name {
			return &n.fields[i], true
		}
	}
	return nil, false
}

// get is the value of that name, or the first of several names that is there. A
// null says no more than a name that is missing.
func (n node) get(names ...string) (node, bool) {
	for _, name := range names {
		if f, ok := n.find(name); ok && (f.node.kind != scalar || f.node.value != nil) {
			return f.node, true
		}
	}
	return node{}, false
}

func (n node) has(names ...string) bool {
	_, ok := n.get(names...)
	return ok
}

// reader takes typed fields out of objects and collects what does not fit.
type reader struct {
	source string
	top    node
	err    error
}

func (r *reader) fail(n node, hint, what string) {
	r.err = both(r.err, wrong(n.line, hint, "%s", what))
}

// text is a string; a field that is not there is "".
func (r *reader) text(n node, names ...string) string {
	f, ok := n.get(names...)
	if !ok {
		return ""
	}
	s, ok := f.value.(string)
	if !ok || f.kind != scalar {
		r.fail(f, "write text", names[0]+" is no text")
	}
	return s
}

// id is a string, or a whole number as some tools write them.
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

// number is a whole number; given says whether it is there.
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
	r.fail(f, "write a whole number", name+" is no whole number")
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

// texts is a list of strings; a single string is a list of one.
func (r *reader) texts(n node, name string) []string {
	f, ok := n.get(name)
	if !ok {
		return nil
	}
	if s, ok := f.value.(string); ok {
		return []string{s}
	}
	if f.kind != list {
		r.fail(f, "write a list", name+" is no list")
		return nil
	}
	var out []string
	for _, item := range f.items {
		if s, ok := item.value.(string); ok {
			out = append(out, s)
			continue
		}
		r.fail(item, "write text", "an item of "+name+" is no text")
	}
	return out
}

// ids is a list of ids of other tasks.
func (r *reader) ids(n node, names ...string) []string {
	f, ok := n.get(names...)
	if !ok {
		return nil
	}
	if f.kind != list {
		r.fail(f, "write a list of ids", names[0]+" is no list")
		return nil
	}
	var out []string
	for _, item := range f.items {
		out = append(out, r.id(item, "an item of "+names[0]))
	}
	return out
}
