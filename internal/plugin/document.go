package plugin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// document is a JSON file that may have comments and trailing commas.
type document struct {
	text []byte
	root hujson.Value
}

func parse(text []byte) (document, error) {
	plain := bare(text)
	root, err := hujson.Parse(plain)
	if err != nil {
		return document{}, fmt.Errorf("it cannot be parsed: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return document{}, fmt.Errorf("its top level is not an object")
	}
	return document{text, root}, nil
}

// bare replaces a byte order mark by spaces, so that offsets stay.
func bare(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return append([]byte("   "), text[3:]...)
	}
	return text
}

func (d document) top() container { return d.container(&d.root) }

// container returns the object or array of a value.
func (d document) container(v *hujson.Value) container {
	c := container{text: d.text, open: v.StartOffset, close: v.EndOffset - 1}
	switch x := v.Value.(type) {
	case *hujson.Object:
		for _, m := range x.Members {
			c.items = append(c.items, span{m.Name.StartOffset, m.Value.EndOffset})
		}
	case *hujson.Array:
		for _, e := range x.Elements {
			c.items = append(c.items, span{e.StartOffset, e.EndOffset})
		}
	}
	return c
}

// at follows a path through objects, as far as it goes.
func (d document) at(path []string) (v *hujson.Value, depth int, err error) {
	v = &d.root
	for ; depth < len(path); depth++ {
		o, ok := v.Value.(*hujson.Object)
		if !ok {
			return nil, depth, d.wrong(v, path[:depth], "not an object")
		}
		i := member(o, path[depth])
		if i < 0 {
			return v, depth, nil
		}
		v = &o.Members[i].Value
	}
	return v, depth, nil
}

// member returns the last member of a name, which takes effect.
func member(o *hujson.Object, name string) int {
	for i, m := range slices.Backward(o.Members) {
		if l, ok := m.Name.Value.(hujson.Literal); ok && l.String() == name {
			return i
		}
	}
	return -1
}

func (d document) wrong(v *hujson.Value, path []string, what string) error {
	line := 1 + bytes.Count(d.text[:v.StartOffset], []byte("\n"))
	return fmt.Errorf("line %d: %s is %s", line, strings.Join(path, "."), what)
}

// find returns the value of an entry, nil if it is missing.
func (d document) find(e entry) (*hujson.Value, error) {
	v, depth, err := d.at(e.path)
	if err != nil || depth < len(e.path) {
		return nil, err
	}
	if !e.element {
		return v, nil
	}
	list, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, d.wrong(v, e.path, "not an array")
	}
	for i := range list.Elements {
		if bytes.Contains(d.text[list.Elements[i].StartOffset:list.Elements[i].EndOffset], []byte(e.mark)) {
			return &list.Elements[i], nil
		}
	}
	return nil, nil
}

// isEmpty reports whether the container at a path is empty.
func (d document) isEmpty(path []string) bool {
	v, depth, err := d.at(path)
	return err == nil && depth == len(path) && d.container(v).empty()
}

func (d document) has(path []string) bool {
	if d.text == nil {
		return false
	}
	_, depth, err := d.at(path)
	return err == nil && depth == len(path)
}

// put returns the text with an entry and the objects on its path.
func (d document) put(e entry) ([]byte, error) {
	v, depth, err := d.at(e.path)
	if err != nil {
		return nil, err
	}
	value, err := compact(e.value)
	if err != nil {
		return nil, err
	}
	if e.element && depth < len(e.path) {
		value = "[" + value + "]"
	}
	for i := len(e.path) - 1; i >= depth; i-- {
		name, err := compact(e.path[i])
		if err != nil {
			return nil, err
		}
		if value = name + ":" + value; i > depth {
			value = "{" + value + "}"
		}
	}
	unit := d.unit()
	return d.container(v).with(func(indent string) string { return pretty(value, indent, unit, newline(d.text)) }, unit), nil
}

// take returns the text without an entry and without containers added for it.
func (d document) take(e entry, was document) ([]byte, error) {
	v, _, err := d.at(e.path)
	if err != nil {
		return nil, err
	}
	path := e.path
	if e.element {
		list := v.Value.(*hujson.Array)
		i := slices.IndexFunc(list.Elements, func(el hujson.Value) bool {
			return bytes.Contains(d.text[el.StartOffset:el.EndOffset], []byte(e.mark))
		})
		if d, err = parse(d.container(v).without(i)); err != nil {
			return nil, err
		}
	} else if d, err = d.drop(path); err != nil {
		return nil, err
	} else {
		path = path[:len(path)-1]
	}
	for ; len(path) > 0 && d.isEmpty(path) && !was.has(path); path = path[:len(path)-1] {
		if d, err = d.drop(path); err != nil {
			return nil, err
		}
	}
	return d.text, nil
}

// drop removes a member.
func (d document) drop(path []string) (document, error) {
	parent, _, err := d.at(path[:len(path)-1])
	if err != nil {
		return d, err
	}
	return parse(d.container(parent).without(member(parent.Value.(*hujson.Object), path[len(path)-1])))
}

// unit returns the indentation of one level in the file.
func (d document) unit() string {
	c := d.top()
	if len(c.items) > 0 {
		line := c.text[bytes.LastIndexByte(c.text[:c.items[0].from], '\n')+1 : c.items[0].from]
		if len(line) > 0 && len(bytes.TrimLeft(line, " \t")) == 0 {
			return string(line)
		}
	}
	return "  "
}

func compact(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSpace(b.String()), err
}

// pretty formats a member or a value over several lines, or on one line where the
// file does (indent is empty).
func pretty(item, indent, unit, nl string) string {
	name, value := "", item
	if strings.HasPrefix(item, `"`) && !json.Valid([]byte(item)) {
		end := strings.Index(item, `":`) + 1
		name, value = item[:end]+": ", item[end+1:]
	}
	if indent == "" {
		return name + value
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(value), indent, unit); err != nil {
		return item
	}
	return name + strings.ReplaceAll(b.String(), "\n", nl)
}
