package planner

import "testing"

// TestNamesInAnyScript: ids of which no letter is left in a name stay apart, and
// are the same each time; all others, and plans, keep the names that they had.
func TestNamesInAnyScript(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, id := range []string{"ü", "ö", "日本", "日 本", "..", "задача"} {
		name := slug(id, 40)
		if before, twice := seen[name]; twice || name != slug(id, 40) || len(name) < 2 {
			t.Errorf("%q is named %q, as %q is", id, name, before)
		}
		seen[name] = id
	}
	for id, want := range map[string]string{"a/b": "a-b", "Über 2": "ber-2", "x": "x"} {
		if got := slug(id, 40); got != want {
			t.Errorf("%q is named %q, want %q", id, got, want)
		}
	}
	if got := PlanID("/計画.md"); got[:2] != "x-" {
		t.Errorf("a plan that was run before has another id now: %s", got)
	}
}
