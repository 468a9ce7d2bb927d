package planfile

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// node is a JSON value that knows where it stands: its line, and the offsets at
// which it begins and ends.
type node struct {
	line       int
	start, end int
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

// field of an object; start and end are those of its name, with the quotes.
type field struct {
	name       string
	start, end int
	node       node
}

// maxDepth bounds nested values; plans have five levels.
const maxDepth = 50

// parser walks over JSON that encoding/json has found valid: it only has to
// tell where things stand.
type parser struct {
	text string
	at   int
	line int
}

// parseJSON reads one JSON value and nothing behind it.
func parseJSON(text string) (node, error) {
	var whole json.RawMessage
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal([]byte(text), &whole)); ok {
		at := min(max(int(syntax.Offset)-1, 0), len(text))
		return node{}, wrong(1+strings.Count(text[:at], "\n"), "", "this is not valid JSON: %v", syntax)
	}
	p := parser{text: text, line: 1}
	return p.value(0)
}

// space goes to the next byte that is none.
func (p *parser) space() {
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\n':
			p.line++
		case ' ', '\t', '\r':
		default:
			return
		}
	}
}

// next goes over one mark between values, if it stands there.
func (p *parser) next(mark byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == mark {
		p.at++
		return true
	}
	return false
}

func (p *parser) value(depth int) (node, error) {
	p.space()
	if depth > maxDepth {
		return node{}, wrong(p.line, "", "more than %d values in each other", maxDepth)
	}
	n := node{line: p.line, start: p.at, kind: scalar}
	var err error
	switch p.text[p.at] {
	case '{':
		n.kind = object
		err = p.object(&n, depth)
	case '[':
		n.kind = list
		err = p.list(&n, depth)
	case '"':
		n.value = p.string()
	default:
		n.value = p.word()
	}
	n.end = p.at
	return n, err
}

func (p *parser) list(n *node, depth int) error {
	p.at++
	for !p.next(']') {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
		p.next(',')
	}
	return nil
}

func (p *parser) object(n *node, depth int) error {
	p.at++
	seen := map[string]bool{}
	for !p.next('}') {
		f := field{start: p.at}
		f.name = p.string()
		f.end = p.at
		if seen[f.name] {
			return wrong(p.line, "keep one of them", "the key %q stands twice in one object", f.name)
		}
		seen[f.name] = true
		p.next(':')
		var err error
		if f.node, err = p.value(depth + 1); err != nil {
			return err
		}
		n.fields = append(n.fields, f)
		p.next(',')
	}
	return nil
}

// string reads what stands between quotes.
func (p *parser) string() string {
	start := p.at
	plain := true
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			plain = false
			p.at++
		}
	}
	p.at++
	if raw := p.text[start+1 : p.at-1]; plain && utf8.ValidString(raw) {
		return raw
	}
	var s string
	_ = json.Unmarshal([]byte(p.text[start:p.at]), &s) // it was found valid
	return s
}

// word reads a number, true, false or null.
func (p *parser) word() any {
	start := p.at
	for p.at < len(p.text) && !strings.ContainsRune(" \t\r\n,]}", rune(p.text[p.at])) {
		p.at++
	}
	switch w := p.text[start:p.at]; w {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	default:
		return json.Number(w)
	}
}
