package view

import "testing"

func TestUnmarked(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"**Cart** with `line_items`":       "Cart with line_items",
		"see [the plan](docs/plan.md) now": "see the plan now",
		"**`a`** and **b**":                "a and b",
		"test *_test.go and __init__.py":   "test *_test.go and __init__.py",
		"a ** b, a ` b, [x] y":             "a ** b, a ` b, [x] y",
		"":                                 "",
	} {
		if got := Unmarked(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
