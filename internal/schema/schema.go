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
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Format is one object or line that programs may read.
type Format struct {
	// Name is the value of its field schema, such as ralph.loop/v1. A format
	// without that field has a name too.
	Name string
	// What describes the format and where it is found, in one sentence.
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
	s := of(f.Type, strict)
	f.cases(s, strict)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.ID = "urn:" + strings.NewReplacer("/", ":", ".", ":").Replace(f.Name)
	s.Title, s.Description = f.Name, f.What
	if p, ok := s.Properties["schema"]; ok {
		p.Const = new(any(f.Name))
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema of %s: %w", f.Name, err)
	}
	return append(text, '\n'), nil
}

// cases say what data holds for each event.
func (f Format) cases(s *jsonschema.Schema, strict bool) {
	event, ok := s.Properties["event"]
	if !ok || len(f.Data) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(f.Data)) {
		s.AllOf = append(s.AllOf, &jsonschema.Schema{
			If:   only("event", &jsonschema.Schema{Const: new(any(name))}),
			Then: only("data", of(f.Data[name], strict)),
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
	return &jsonschema.Schema{Properties: map[string]*jsonschema.Schema{name: s}}
}

var (
	instant = reflect.TypeFor[time.Time]()
	raw     = reflect.TypeFor[json.RawMessage]()
	// marshals is what encoding/json writes as a string.
	marshals = reflect.TypeFor[encoding.TextMarshaler]()
)

// of returns the schema of a type as encoding/json writes it. The library's own
// inference closes every struct and lets every list be null; this promises what
// the formats promise.
func of(t reflect.Type, strict bool) *jsonschema.Schema {
	if s := coded(t, strict); s != nil {
		return s
	}
	if t != instant && t.Kind() != reflect.Pointer && t.Implements(marshals) {
		return &jsonschema.Schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return of(t.Elem(), strict)
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Float32, reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Interface:
		return &jsonschema.Schema{}
	case reflect.Slice, reflect.Array:
		if t == raw {
			return &jsonschema.Schema{}
		}
		s := &jsonschema.Schema{Type: "array", Items: of(t.Elem(), strict)}
		if t.Kind() == reflect.Array {
			s.MinItems, s.MaxItems = new(t.Len()), new(t.Len())
		}
		return s
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: of(t.Elem(), strict)}
	case reflect.Struct:
		if t == instant {
			return &jsonschema.Schema{Type: "string", Format: "date-time"}
		}
		s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
		if strict {
			s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
		fields(t, s, strict)
		return s
	default:
		return &jsonschema.Schema{Type: "integer"}
	}
}

// fields adds the fields of a struct. A pointer that is always written may be
// null: the value is unknown, or there is none.
func fields(t reflect.Type, s *jsonschema.Schema, strict bool) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			fields(f.Type, s, strict)
			continue
		case name == "-" || !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		value, optional := of(f.Type, strict), strings.Contains(options, "omit")
		if f.Type.Kind() == reflect.Pointer && !optional {
			value = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{value, {Type: "null"}}}
		}
		if s.Properties[name] == nil {
			s.PropertyOrder = append(s.PropertyOrder, name)
			if !optional {
				s.Required = append(s.Required, name)
			}
		}
		s.Properties[name] = value
	}
}
