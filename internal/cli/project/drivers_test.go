package project

import (
	"encoding/json"
	"slices"
	"testing"

	"ralph/internal/agent/registry"
	"ralph/internal/config"
)

// Configuration is checked without any driver, so it has a list of its own.
func TestConfigurationKnowsTheDrivers(t *testing.T) {
	t.Parallel()
	text, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	kinds := use(schema)
	for name := range registry.Drivers() {
		if !slices.Contains(kinds, name) {
			t.Errorf("the driver %s is missing in config/values.go", name)
		}
	}
	if len(kinds) != len(registry.Drivers()) {
		t.Errorf("configuration has the kinds %v", kinds)
	}
	if want := registry.Names(); !slices.Equal(kinds[:len(want)], want) {
		t.Errorf("native agents are %v, in configuration %v", want, kinds)
	}
}

// use finds the values of the property "use" in a schema.
func use(at any) (kinds []string) {
	switch at := at.(type) {
	case map[string]any:
		if p, ok := at["use"].(map[string]any); ok {
			for _, v := range p["enum"].([]any) {
				kinds = append(kinds, v.(string))
			}
			return kinds
		}
		for _, v := range at {
			if kinds = use(v); kinds != nil {
				return kinds
			}
		}
	case []any:
		for _, v := range at {
			if kinds = use(v); kinds != nil {
				return kinds
			}
		}
	}
	return nil
}
