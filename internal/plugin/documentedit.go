package plugin

import (
	"bytes"
	"slices"

	"github.com/tailscale/hujson"
)

// put is the text with an entry, and with the objects on the way to it.
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

// take is the text without an entry, and without what was only there for it.
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
	for ; len(path) > 0 && d.idle(path) && !was.has(path); path = path[:len(path)-1] {
		if d, err = d.drop(path); err != nil {
			return nil, err
		}
	}
	return d.text, nil
}

// drop takes a member out.
func (d document) drop(path []string) (document, error) {
	parent, _, err := d.at(path[:len(path)-1])
	if err != nil {
		return d, err
	}
	return parse(d.container(parent).without(member(parent.Value.(*hujson.Object), path[len(path)-1])))
}
