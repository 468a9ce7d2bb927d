// Package schema writes JSON Schemas of what ralph prints and keeps for
// programs. They are made from the very structs that are encoded, so they cannot
// differ from them.
//
// Two kinds are made of each. The published one promises what docs/formats.md
// promises: fields may be added, and a code that a reader does not know may
// come. The strict one says what this version writes, no field and no code more;
// tests hold every view to it.
package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// Format is one object or line that programs may read.
type Format struct {
	// Name is what its field schema says, such as ralph.loop/v1. A format
	// without that field has a name of its own.
	Name string
	// What it is and where it is found, in one sentence.
	What string
	// Type is the struct that is encoded.
	Type reflect.Type
	// Data are the types of its field data, by the value of its field event.
	Data map[string]reflect.Type
}

// File is the name of the schema's file.
func (f Format) File() string { return strings.ReplaceAll(f.Name, "/", ".") + ".json" }

// Published is the schema for readers.
func (f Format) Published() ([]byte, error) { return f.encode(false) }

// Strict is the schema of exactly what this version writes.
func (f Format) Strict() ([]byte, error) { return f.encode(true) }

func (f Format) encode(strict bool) ([]byte, error) {
	s := reflected(f.Type, strict)
	f.cases(s, strict)
	s.Version = jsonschema.Version
	s.ID = jsonschema.ID("urn:" + strings.NewReplacer("/", ":", ".", ":").Replace(f.Name))
	s.Title, s.Description = f.Name, f.What
	if p, ok := s.Properties.Get("schema"); ok {
		p.Const = f.Name
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema of %s: %w", f.Name, err)
	}
	return append(text, '\n'), nil
}

func reflected(t reflect.Type, strict bool) *jsonschema.Schema {
	r := &jsonschema.Reflector{
		Anonymous: true, DoNotReference: true, ExpandedStruct: true, AllowAdditionalProperties: !strict,
		Mapper: func(t reflect.Type) *jsonschema.Schema { return coded(t, strict) },
	}
	s := r.ReflectFromType(t)
	nullable(t, s)
	s.Version = ""
	return s
}

// cases say what data holds for each event.
func (f Format) cases(s *jsonschema.Schema, strict bool) {
	event, ok := s.Properties.Get("event")
	if !ok || len(f.Data) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(f.Data)) {
		s.AllOf = append(s.AllOf, &jsonschema.Schema{
			If:   only("event", &jsonschema.Schema{Const: name}),
			Then: only("data", reflected(f.Data[name], strict)),
		})
		if strict {
			event.Enum = append(event.Enum, name)
		} else {
			event.Examples = append(event.Examples, name)
		}
	}
}

// only is a schema of one property.
func only(name string, s *jsonschema.Schema) *jsonschema.Schema {
	all := jsonschema.NewProperties()
	all.Set(name, s)
	return &jsonschema.Schema{Properties: all}
}

// nullable adds null where a struct has a pointer that is always written: null
// is unknown, or not there. The schema was reflected without references, so it
// has the shape of the type.
func nullable(t reflect.Type, s *jsonschema.Schema) {
	switch t.Kind() {
	case reflect.Pointer:
		nullable(t.Elem(), s)
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			nullable(t.Elem(), s.Items)
		}
	case reflect.Map:
		if s.AdditionalProperties != nil {
			nullable(t.Elem(), s.AdditionalProperties)
		}
	case reflect.Struct:
		if s.Properties == nil { // described as a whole, such as a time
			return
		}
		for f := range t.Fields() {
			nullableField(f, s)
		}
	}
}

func nullableField(f reflect.StructField, s *jsonschema.Schema) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if f.Anonymous && name == "" {
		nullable(f.Type, s)
		return
	}
	p, ok := s.Properties.Get(name)
	if !ok {
		return
	}
	nullable(f.Type, p)
	if f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") {
		s.Properties.Set(name, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{p, {Type: "null"}}})
	}
}
