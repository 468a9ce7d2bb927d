package config

import (
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"ralph/internal/lazyregexp"
)

// Table holds sections by name, in the order in which the names first appeared.
type Table[T any] []Entry[T]

// Entry is one named section.
type Entry[T any] struct {
	Name  string
	Value T
}

// table is a Table of any section, for the walkers.
type table interface {
	names() []string
	// section is the section of that name, added at the end if it is new. It
	// is valid until the next one is added.
	section(name string) reflect.Value
	// blank is an empty section, to look at its keys.
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
	entry := reflector().ReflectFromType(reflect.TypeFor[T]())
	entry.Version = ""
	return &jsonschema.Schema{
		Type:                 "object",
		PropertyNames:        patternSchema(namePattern),
		AdditionalProperties: entry,
	}
}

// namePattern is that of loop ids: names become parts of file names, on file
// systems that do not tell a from A too.
const namePattern = `^[a-z0-9][a-z0-9._-]{0,63}$`

var tableName = lazyregexp.New(namePattern)

func checkName(s string) *problem {
	if !tableName.MatchString(s) || strings.Contains(s, "..") {
		return wrong("use 1 to 64 of a-z, 0-9, '.', '_', '-', starting with a letter or digit", "%s is not a valid name", clip(s))
	}
	return nil
}
