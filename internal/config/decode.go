package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v4"
)

// maxValues bounds the work that aliases can multiply.
const maxValues = 100_000

// decoder lays one file over the settings.
type decoder struct {
	file    string
	layer   Layer
	origins map[string]Origin
	errs    Errors
	seen    int
	// versioned: this file gave its version.
	versioned bool
}

// value reads the node into v, which is a leaf, a Table or a section.
func (d *decoder) value(path string, n *yaml.Node, v reflect.Value) {
	if d.seen += 1 + len(n.Content); d.seen > maxValues {
		return
	}
	if l, ok := leafOf(v); ok {
		d.leaf(path, n, l)
	} else if t, ok := v.Addr().Interface().(table); ok {
		d.table(path, n, t)
	} else {
		d.section(path, n, v)
	}
}

func (d *decoder) leaf(path string, n *yaml.Node, into leaf) {
	if p := into.scan(n); p != nil {
		d.report(path, n, p)
		return
	}
	d.origins[path] = Origin{Layer: d.layer, File: d.file, Line: n.Line, Column: n.Column}
	d.versioned = d.versioned || path == "version"
}

// table reads named sections. A section without keys is noted too, so that a
// message about what it lacks has a place.
func (d *decoder) table(path string, n *yaml.Node, into table) {
	for _, kv := range d.pairs(path, n) {
		if p := checkName(kv.name); p != nil {
			d.report(path, kv.key, p)
			continue
		}
		at := join(path, kv.name)
		d.origins[at] = Origin{Layer: d.layer, File: d.file, Line: kv.key.Line, Column: kv.key.Column}
		d.value(at, kv.value, into.section(kv.name))
	}
}

func (d *decoder) section(path string, n *yaml.Node, v reflect.Value) {
	for _, kv := range d.pairs(path, n) {
		field, ok := fieldOf(v, kv.name)
		if !ok {
			d.report(path, kv.key, unknown(kv.name, v))
			continue
		}
		d.value(join(path, kv.name), kv.value, field)
	}
}

// pairs takes a section whose keys are all commented out as empty.
func (d *decoder) pairs(path string, n *yaml.Node) []pair {
	if isNull(n) {
		return nil
	}
	all, bad := pairsOf(n)
	for _, p := range bad {
		d.report(path, n, p)
	}
	return all
}

func (d *decoder) report(path string, n *yaml.Node, p *problem) {
	if p.node != nil {
		n = p.node
	}
	message := p.message
	if path != "" {
		message = path + ": " + message
	}
	d.errs = append(d.errs, &Error{File: d.file, Line: n.Line, Column: n.Column, Message: message, Hint: p.hint})
}

// finish reports what can only be said at the end, and sorts by place.
func (d *decoder) finish() {
	if d.seen > maxValues {
		d.errs = append(d.errs, &Error{File: d.file, Message: fmt.Sprintf("more than %d values", maxValues), Hint: "use fewer aliases"})
	}
	if !d.versioned {
		d.errs = append(d.errs, versionNeeded(d.file))
	}
	slices.SortStableFunc(d.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// fieldOf finds the field whose key is name.
func fieldOf(section reflect.Value, name string) (reflect.Value, bool) {
	for i := range section.NumField() {
		if section.Type().Field(i).Tag.Get("yaml") == name {
			return section.Field(i), true
		}
	}
	return reflect.Value{}, false
}
