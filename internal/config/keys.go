package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Key is one key of the format, as the documentation lists it, with <name> for
// the name of a gate or an agent.
type Key struct {
	Path    string
	Env     string // empty for version, which only a file has
	Shape   string // what it takes
	Default string // empty where there is none, or where Doc says it
	Doc     string
}

// Keys returns all keys in the order of Settings.
func Keys() []Key {
	s := defaults()
	var all []Key
	walk(reflect.ValueOf(s).Elem(), "", "", true, func(path, doc string, l leaf) {
		k := Key{Path: path, Env: envName(path), Shape: l.shape(), Default: l.String(), Doc: doc}
		if path == "version" {
			k.Env, k.Default = "", ""
		}
		all = append(all, k)
	})
	return all
}

// leaves returns the leaves that exist now, by path.
func leaves(s *Settings) (paths []string, byPath map[string]leaf) {
	byPath = map[string]leaf{}
	walk(reflect.ValueOf(s).Elem(), "", "", false, func(path, _ string, l leaf) {
		paths = append(paths, path)
		byPath[path] = l
	})
	return paths, byPath
}

// walk visits every leaf under v. With template it visits one section <name> of
// each Table, otherwise the existing sections.
func walk(v reflect.Value, path, doc string, template bool, visit func(path, doc string, l leaf)) {
	if l, ok := leafOf(v); ok {
		visit(path, doc, l)
		return
	}
	switch t := v.Addr().Interface().(type) {
	case table:
		if template {
			walk(t.blank(), join(path, "<name>"), doc, true, visit)
			return
		}
		for _, name := range t.names() {
			walk(t.section(name), join(path, name), doc, false, visit)
		}
	default:
		for i := range v.NumField() {
			tag := v.Type().Field(i).Tag
			walk(v.Field(i), join(path, tag.Get("yaml")), tag.Get("doc"), template, visit)
		}
	}
}

// envName returns RALPH_ and the path in capitals.
func envName(path string) string {
	return "RALPH_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(path))
}

// Schema returns the JSON Schema of ralph.yaml, for editors. It lacks the rules
// between keys that Resolve checks.
func Schema() ([]byte, error) {
	s := schemaOf(reflect.ValueOf(defaults()).Elem())
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "ralph.yaml"
	s.Required = []string{"version"}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	return append(text, '\n'), nil
}

// schemaOf returns the schema of a leaf, a table or a section with its keys.
func schemaOf(v reflect.Value) *jsonschema.Schema {
	if l, ok := leafOf(v); ok {
		return l.schema()
	}
	if t, ok := reflect.TypeAssert[table](v.Addr()); ok {
		return t.schema()
	}
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: closed()}
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		key, value := tag.Get("yaml"), schemaOf(v.Field(i))
		value.Description = tag.Get("doc")
		s.Properties[key], s.PropertyOrder = value, append(s.PropertyOrder, key)
	}
	return s
}

// closed is the schema that no value fits: there are no other keys.
func closed() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func num(n int) *float64 { return new(float64(n)) }
