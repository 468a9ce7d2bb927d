package cli

import (
	"slices"
	"testing"
)

// TestNearFlags: a mistyped flag names the one of similar spelling, and the first word of some
// names all of them.
func TestNearFlags(t *testing.T) {
	t.Parallel()
	names := []string{"max-attempts", "max-iterations", "until", "agent"}
	for given, want := range map[string][]string{
		"util": {"until"}, "max": {"max-attempts", "max-iterations"}, "ma": nil, "x": nil, "": nil, "-": nil,
	} {
		if got := nearFlags(given, slices.Clone(names)); !slices.Equal(got, want) {
			t.Errorf("--%s: %q, want %q", given, got, want)
		}
	}
}
