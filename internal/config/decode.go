package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v4"
)

// maxFile is far above the size of any file written by hand.
const maxFile = 1 << 20

// Source is the content of one file and the name it has in messages.
type Source struct {
	Name string
	Data []byte
}

// document parses the bytes and returns the mapping at the top.
func document(src Source) (*yaml.Node, Errors) {
	if len(src.Data) > maxFile {
		return nil, Errors{{File: src.Name, Message: fmt.Sprintf("%d bytes are too many for this file", len(src.Data)), Hint: "keep it below 1 MiB"}}
	}
	root, errs := parse(src)
	if len(errs) > 0 {
		return nil, errs
	}
	if root == nil {
		return nil, Errors{versionNeeded(src.Name)}
	}
	if root.Kind != yaml.MappingNode {
		return nil, Errors{{File: src.Name, Line: root.Line, Column: root.Column, Message: kindName(root) + " does not fit here", Hint: "write keys and values, the first one `version: 1`"}}
	}
	return root, checkForeign(src.Name, root)
}

func versionNeeded(file string) *Error {
	return &Error{File: file, Line: 1, Column: 1, Message: "the version is missing", Hint: "start the file with `version: 1`"}
}

// parse returns the only document's content, nil if there is none.
func parse(src Source) (*yaml.Node, Errors) {
	loader, err := yaml.NewLoader(bytes.NewReader(src.Data))
	if err != nil {
		return nil, Errors{syntax(src, err)}
	}
	var doc, second yaml.Node
	switch err := loader.Load(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, Errors{syntax(src, err)}
	}
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, Errors{{File: src.Name, Line: second.Line, Column: second.Column, Message: "a second document starts here", Hint: "keep one document in the file"}}
	case !errors.Is(err, io.EOF):
		return nil, Errors{syntax(src, err)}
	}
	if len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, nil
	}
	return deref(doc.Content[0]), nil
}

// checkForeign detects files of other programs with our file's name, and files of
// a later version of ours. Their other keys would only be noise.
func checkForeign(file string, root *yaml.Node) Errors {
	var version *yaml.Node
	var foreign *yaml.Node
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := deref(root.Content[i])
		switch {
		case key.Value == "version":
			version = deref(root.Content[i+1])
		case slices.Contains(foreignKeys, key.Value) && foreign == nil:
			foreign = key
		}
	}
	if foreign != nil {
		return Errors{{
			File: file, Line: foreign.Line, Column: foreign.Column,
			Message: fmt.Sprintf("the key %q belongs to another runner; this looks like a file of ralph-orchestrator", foreign.Value),
			Hint:    "rename that file and let `ralph init` write one",
		}}
	}
	if version == nil {
		return nil
	}
	var v Version
	if p := v.scan(version); p != nil {
		return Errors{{File: file, Line: version.Line, Column: version.Column, Message: p.message, Hint: p.hint}}
	}
	return nil
}

// foreignKeys are sections in ralph-orchestrator's ralph.yml.
var foreignKeys = []string{"event_loop", "cli", "hats"}

// deref follows an alias. An alias never points at an alias.
func deref(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func isNull(n *yaml.Node) bool {
	n = deref(n)
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// pair is one key of a mapping with its value, aliases followed.
type pair struct {
	name       string
	key, value *yaml.Node
}

// pairsOf returns a mapping's pairs. It reports duplicate keys, keys that are not
// plain words, and merges, whose meaning depends on the reader.
func pairsOf(n *yaml.Node) (all []pair, bad []*problem) {
	if n.Kind != yaml.MappingNode {
		return nil, []*problem{problemf("write keys and values", "%s does not fit here", kindName(n)).at(n)}
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at, key := n.Content[i], deref(n.Content[i])
		line, twice := lines[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode || key.Style&yaml.TaggedStyle != 0:
			bad = append(bad, problemf("write a word", "%s cannot be a key", kindName(key)).at(at))
		case key.Tag == "!!merge":
			bad = append(bad, problemf("repeat the keys", "merging with << is not supported").at(at))
		case twice:
			bad = append(bad, problemf("keep one of them", "the key %s was already given in line %d", clip(key.Value), line).at(at))
		default:
			lines[key.Value] = at.Line
			all = append(all, pair{key.Value, at, deref(n.Content[i+1])})
		}
	}
	return all, bad
}

// maxValues bounds the work that aliases can multiply.
const maxValues = 100_000

// decoder applies one file to the settings.
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
	} else if t, ok := reflect.TypeAssert[table](v.Addr()); ok {
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

// table reads named sections. It records the place of a section without keys too,
// for messages about missing keys.
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

// pairs reads a section whose keys are all commented out as empty.
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

// finish reports mistakes of the whole file, and sorts by place.
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
