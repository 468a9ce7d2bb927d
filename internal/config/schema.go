package config

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"
)

// Schema is the JSON Schema of ralph.yaml, for editors. It is a little more
// lenient than Resolve: rules between keys are not in it.
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

// ownSchema asks leaves and tables to describe themselves.
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
