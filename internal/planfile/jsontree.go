package planfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/tailscale/hujson"
)

// node is a JSON value with its line and its offsets in the file.
type node struct {
	line       int
	start, end int
	kind       nodeKind
	// value is a string, json.Number, bool or nil; items or fields are set for
	// lists and objects.
	value  any
	items  []node
	fields []field
}

type nodeKind string

const (
	scalar nodeKind = "value"
	list   nodeKind = "list"
	object nodeKind = "object"
)

// field is a member of an object; start and end are those of its name, with the
// quotes.
type field struct {
	name       string
	start, end int
	node       node
}

// maxDepth bounds nested values; plans have five levels.
const maxDepth = 50

// parseJSON reads one JSON value and nothing after it. hujson gives the offsets;
// encoding/json comes first, because it refuses comments and trailing commas and
// describes mistakes better.
func parseJSON(text string) (node, error) {
	data := []byte(text)
	var whole json.RawMessage
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, &whole)); ok {
		at := min(max(int(syntax.Offset)-1, 0), len(text))
		return node{}, parseError(1+strings.Count(text[:at], "\n"), "", "this is not valid JSON: %v", syntax)
	}
	root, err := hujson.Parse(data)
	if err != nil {
		return node{}, parseError(0, "", "this is not valid JSON: %v", err)
	}
	return (&lineCounter{text: text, line: 1}).node(root, 0)
}

// lineCounter turns parsed values into nodes, in the order of the file.
type lineCounter struct {
	text string
	// line is the line of the offset at, which only grows.
	at, line int
}

func (c *lineCounter) lineOf(offset int) int {
	c.line += strings.Count(c.text[c.at:offset], "\n")
	c.at = offset
	return c.line
}

func (c *lineCounter) node(v hujson.Value, depth int) (node, error) {
	n := node{line: c.lineOf(v.StartOffset), start: v.StartOffset, end: v.EndOffset, kind: scalar}
	if depth > maxDepth {
		return node{}, parseError(n.line, "", "values nested more than %d deep", maxDepth)
	}
	switch v := v.Value.(type) {
	case *hujson.Object:
		n.kind = object
		var err error
		if n.fields, err = c.fields(v, depth); err != nil {
			return node{}, err
		}
	case *hujson.Array:
		n.kind = list
		for _, element := range v.Elements {
			item, err := c.node(element, depth+1)
			if err != nil {
				return node{}, err
			}
			n.items = append(n.items, item)
		}
	case hujson.Literal:
		n.value = literal(v)
	}
	return n, nil
}

func (c *lineCounter) fields(o *hujson.Object, depth int) ([]field, error) {
	fields := make([]field, 0, len(o.Members))
	seen := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		f := field{name: m.Name.Value.(hujson.Literal).String(), start: m.Name.StartOffset, end: m.Name.EndOffset}
		if seen[f.name] {
			return nil, parseError(c.lineOf(f.start), "keep one of them", "duplicate key %q in one object", f.name)
		}
		seen[f.name] = true
		var err error
		if f.node, err = c.node(m.Value, depth+1); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func literal(l hujson.Literal) any {
	switch l.Kind() {
	case '"':
		return l.String()
	case 't', 'f':
		return l.Bool()
	case '0':
		return json.Number(l)
	}
	return nil
}

// find returns the field of that name, whatever its value.
func (n *node) find(name string) (*field, bool) {
	for i := range n.fields {
		if n.fields[i].name == name {
			return &n.fields[i], true
		}
	}
	return nil, false
}

// get returns the value of the first name that is present. A null counts as
// missing.
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

// encoded returns a value as JSON, without escapes for HTML.
func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // text, numbers, and lists and maps of them
	return strings.TrimSuffix(b.String(), "\n")
}

// fieldOf identifies a field that an object does not have yet.
type fieldOf struct {
	object int // where it begins
	name   string
}

// setField replaces the value of a field, or adds the field after the last one
// with the same spacing.
func (e *edits) setField(text string, o node, name string, value any) {
	raw := encoded(value)
	if f, ok := o.find(name); ok {
		e.replace(f.node.start, f.node.end, raw)
		return
	}
	at, before, colon := o.start+1, "", ": "
	if n := len(o.fields); n > 0 {
		last := o.fields[n-1]
		at, colon = last.node.end, text[last.end:last.node.start]
		before = "," + gap(text, o.start+1, last.start)
		if n > 1 {
			before = "," + gap(text, o.fields[n-2].node.end, last.start)
		}
	}
	e.about(fieldOf{o.start, name}, Edit{At: at, Text: before + encoded(name) + colon + raw})
}

// addItem appends a value to a list that is not empty.
func (e *edits) addItem(text string, l node, value any) {
	n := len(l.items)
	before := gap(text, l.start+1, l.items[0].start)
	if n > 1 {
		before = gap(text, l.items[n-2].end, l.items[n-1].start)
	} else if before == "" {
		before = " "
	}
	e.insert(l.items[n-1].end, ","+before+encoded(value))
}

// removeItems removes items from a list, with their commas.
func (e *edits) removeItems(l node, gone []int) {
	for len(gone) > 0 {
		n := 1
		for n < len(gone) && gone[n] == gone[0]+n {
			n++
		}
		first, last := gone[0], gone[n-1]
		switch {
		case last+1 < len(l.items):
			e.replace(l.items[first].start, l.items[last+1].start, "")
		case first > 0:
			e.replace(l.items[first-1].end, l.items[last].end, "")
		default:
			e.replace(l.start+1, l.end-1, "")
		}
		gone = gone[n:]
	}
}

// gap returns the space between two offsets, without the comma.
func gap(text string, from, to int) string { return strings.Replace(text[from:to], ",", "", 1) }
