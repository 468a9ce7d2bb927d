package plugin

import (
	"bytes"
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
		return document{}, fmt.Errorf("it holds no object at its top")
	}
	return document{text, root}, nil
}

// bare is a text without the mark that some editors begin a file with. It is
// replaced by space, so that offsets stay.
func bare(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return append([]byte("   "), text[3:]...)
	}
	return text
}

func (d document) top() container { return d.container(&d.root) }

// container is the object or array of a value.
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
			return nil, depth, d.wrong(v, path[:depth], "no object")
		}
		i := member(o, path[depth])
		if i < 0 {
			return v, depth, nil
		}
		v = &o.Members[i].Value
	}
	return v, depth, nil
}

// member finds the last member of a name, which is the one that counts.
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

// find gives the value of an entry, nil if it is not there.
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
		return nil, d.wrong(v, e.path, "no array")
	}
	for i := range list.Elements {
		if bytes.Contains(d.text[list.Elements[i].StartOffset:list.Elements[i].EndOffset], []byte(e.mark)) {
			return &list.Elements[i], nil
		}
	}
	return nil, nil
}

// idle: there is nothing in what a path leads to.
func (d document) idle(path []string) bool {
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
