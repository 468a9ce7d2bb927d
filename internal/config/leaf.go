package config

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v4"

	"ralph/internal/lazyregexp"
)

// leaf is the value of one key. It reads itself from a YAML node, prints itself
// so that reading the output gives the same value (empty: not set), and describes
// what it accepts to users and editors.
type leaf interface {
	scan(*yaml.Node) *problem
	String() string
	shape() string
	schema() *jsonschema.Schema
}

// leafOf returns the leaf that an addressable field is; sections and tables are
// none.
func leafOf(v reflect.Value) (leaf, bool) {
	if kind, ok := valueKinds()[v.Type()]; ok {
		return textLeaf{v, kind}, true
	}
	l, ok := reflect.TypeAssert[leaf](v.Addr())
	return l, ok
}

// scalar returns the text of a single value. Plain true, 5 or on are text too,
// since `run: true` is a valid command.
func scalar(n *yaml.Node) (string, *problem) {
	switch {
	case n.Kind != yaml.ScalarNode:
		return "", problemf("write a single value", "%s does not fit here", kindName(n))
	case n.Style&yaml.TaggedStyle != 0:
		return "", problemf("quote the value instead", "the tag %s is not supported", clip(n.Tag))
	case n.Tag == "!!null" || strings.TrimSpace(n.Value) == "":
		return "", problemf("give it a value or delete the key", "there is no value")
	case strings.ContainsRune(n.Value, 0) || !utf8.ValidString(n.Value):
		return "", problemf("use plain text", "the value holds bytes that are not text")
	}
	return n.Value, nil
}

// word reads a scalar that must not be quoted: a number, a duration.
func word(n *yaml.Node, what string) (string, *problem) {
	s, p := scalar(n)
	if p == nil && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return "", problemf("leave the quotes out", "%s is text, not %s", clip(s), what)
	}
	return s, p
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a group of keys"
	case yaml.SequenceNode:
		return "a list"
	}
	return "a single value"
}

// Version is the format's version.
type Version int

func (v *Version) scan(n *yaml.Node) *problem {
	s, p := word(n, "a number")
	if p == nil && s != "1" {
		p = problemf("this ralph reads version 1", "version is %s", clip(s))
	}
	*v = 1
	return p
}

func (v *Version) String() string {
	if *v == 0 {
		return ""
	}
	return "1"
}
func (*Version) shape() string { return "1" }
func (*Version) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Const: new(any(1))}
}

// Table holds sections by name, in the order in which the names first appeared.
type Table[T any] []Entry[T]

// Entry is one named section.
type Entry[T any] struct {
	Name  string
	Value T
}

// table is a Table of any section type.
type table interface {
	names() []string
	// section returns the section of that name, added at the end if it is new.
	// It is valid until the next one is added.
	section(name string) reflect.Value
	// blank returns an empty section, for its keys.
	blank() reflect.Value
	schema() *jsonschema.Schema
}

// Get returns the section of that name.
func (t Table[T]) Get(name string) (T, bool) {
	for _, e := range t {
		if e.Name == name {
			return e.Value, true
		}
	}
	var zero T
	return zero, false
}

func (t *Table[T]) names() []string {
	all := make([]string, len(*t))
	for i, e := range *t {
		all[i] = e.Name
	}
	return all
}

func (t *Table[T]) section(name string) reflect.Value {
	for i := range *t {
		if (*t)[i].Name == name {
			return reflect.ValueOf(&(*t)[i].Value).Elem()
		}
	}
	*t = append(*t, Entry[T]{Name: name})
	return reflect.ValueOf(&(*t)[len(*t)-1].Value).Elem()
}

func (*Table[T]) blank() reflect.Value { return reflect.New(reflect.TypeFor[T]()).Elem() }

func (t *Table[T]) schema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:                 "object",
		PropertyNames:        patternSchema(namePattern),
		AdditionalProperties: schemaOf(t.blank()),
	}
}

// namePattern is that of loop ids: names become parts of file names, also on file
// systems that ignore case.
const namePattern = `^[a-z0-9][a-z0-9._-]{0,63}$`

var tableName = lazyregexp.New(namePattern)

func checkName(s string) *problem {
	if !tableName.MatchString(s) || strings.Contains(s, "..") {
		return problemf("use 1 to 64 of a-z, 0-9, '.', '_', '-', starting with a letter or digit", "%s is not a valid name", clip(s))
	}
	return nil
}
