package planfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"sort"
)

// node is a JSON value that knows its line.
type node struct {
	line int
	// value is a string, json.Number, bool or nil; items or fields are set for
	// lists and objects.
	value  any
	kind   nodeKind
	items  []node
	fields []field
}

type nodeKind string

const (
	scalar nodeKind = "value"
	list   nodeKind = "list"
	object nodeKind = "object"
)

type field struct {
	name string
	node node
}

// maxDepth bounds nested values; plans have five levels.
const maxDepth = 50

type parser struct {
	d *json.Decoder
	// breaks are the offsets of all line feeds.
	breaks []int
}

// parseJSON reads one JSON value and nothing behind it.
func parseJSON(data []byte) (node, error) {
	p := parser{d: json.NewDecoder(bytes.NewReader(data))}
	p.d.UseNumber()
	for i, b := range data {
		if b == '\n' {
			p.breaks = append(p.breaks, i)
		}
	}
	var whole json.RawMessage
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(data, &whole)); ok {
		return node{}, wrong(p.lineAt(int(syntax.Offset)-1), "", "this is not valid JSON: %v", syntax)
	}
	return p.value(0)
}

// line is the one that the last token ended in.
func (p *parser) line() int { return p.lineAt(int(p.d.InputOffset())) }

func (p *parser) lineAt(offset int) int { return 1 + sort.SearchInts(p.breaks, offset) }

func (p *parser) value(depth int) (node, error) {
	if depth > maxDepth {
		return node{}, wrong(p.line(), "", "more than %d values in each other", maxDepth)
	}
	t, err := p.d.Token()
	if err != nil {
		return node{}, err
	}
	n := node{line: p.line(), kind: scalar, value: t}
	switch t {
	case json.Delim('{'):
		n.kind = object
		err = p.object(&n, depth)
	case json.Delim('['):
		n.kind = list
		err = p.list(&n, depth)
	}
	return n, err
}

func (p *parser) list(n *node, depth int) error {
	for p.d.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	_, err := p.d.Token()
	return err
}

func (p *parser) object(n *node, depth int) error {
	seen := map[string]bool{}
	for p.d.More() {
		t, err := p.d.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if seen[key] {
			return wrong(p.line(), "keep one of them", "the key %q stands twice in one object", key)
		}
		seen[key] = true
		v, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.fields = append(n.fields, field{key, v})
	}
	_, err := p.d.Token()
	return err
}
