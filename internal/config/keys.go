package config

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
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
	s := reflector().ReflectFromType(reflect.TypeFor[Settings]())
	s.Version = jsonschema.Version
	s.Title = "ralph.yaml"
	s.Required = []string{"version"}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	return append(text, '\n'), nil
}

func reflector() *jsonschema.Reflector {
	return &jsonschema.Reflector{
		Anonymous:                  true,
		DoNotReference:             true,
		ExpandedStruct:             true,
		RequiredFromJSONSchemaTags: true,
		FieldNameTag:               "yaml",
		Mapper:                     ownSchema,
		LookupComment:              docOf,
	}
}

// ownSchema returns the schemas that leaves and tables have of themselves.
func ownSchema(t reflect.Type) *jsonschema.Schema {
	v := reflect.New(t).Elem()
	if l, ok := leafOf(v); ok {
		return l.schema()
	}
	if t, ok := v.Addr().Interface().(table); ok {
		return t.schema()
	}
	return nil
}

func docOf(t reflect.Type, field string) string {
	if f, ok := t.FieldByName(field); ok {
		return f.Tag.Get("doc")
	}
	return ""
}

func num(n int) json.Number { return json.Number(fmt.Sprint(n)) }
