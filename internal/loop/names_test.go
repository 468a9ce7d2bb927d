package loop

import (
	"reflect"
	"strings"
	"testing"
)

// TestStateHidesNothingOfItsSpec: a field of the state with the name of one of its spec,
// in Go or in JSON, would keep the spec's from being stored.
func TestStateHidesNothingOfItsSpec(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for f := range reflect.TypeFor[Spec]().Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names[f.Name], names[tag] = true, true
	}
	for f := range reflect.TypeFor[State]().Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if names[f.Name] || tag != "" && names[tag] {
			t.Errorf("State.%s (%q) hides a field of Spec", f.Name, tag)
		}
	}
}
