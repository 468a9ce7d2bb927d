package runs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
)

// among looks names up as a store does.
func among(ids ...string) func(context.Context, string) (string, error) {
	return func(_ context.Context, name string) (string, error) { return engine.ResolvePrefix(name, ids, nil) }
}

// TestResolve: what a name means, of the plans and loops of one place.
func TestResolve(t *testing.T) {
	t.Parallel()
	many := make([]string, 12)
	for n := range many {
		many[n] = fmt.Sprintf("night-t%02d", n)
	}
	for name, c := range map[string]struct {
		typed        string
		plans, loops []string
		want         string
		plan         bool
		several      []string
	}{
		"a whole id of a plan":                  {"night", []string{"night"}, []string{"night-t1", "night-t2"}, "night", true, nil},
		"a whole id of a loop":                  {"night-t1", nil, []string{"night-t1"}, "night-t1", false, nil},
		"a whole id of a loop before a longer":  {"fix", []string{"fix-all"}, []string{"fix"}, "fix", false, nil},
		"a whole id of a plan and of a loop":    {"fix", []string{"fix"}, []string{"fix"}, "fix", true, nil},
		"a plan before the loops of its tasks":  {"ni", []string{"night"}, []string{"night-t1", "night-t2"}, "night", true, nil},
		"a plan before many loops of its tasks": {"ni", []string{"night"}, many, "night", true, nil},
		"many loops of a plan, and another one": {"ni", []string{"night"}, append([]string{"nine"}, many...), "", false, append(append([]string{"night"}, many[:9]...), "nine")},
		"a plan alone":                          {"ni", []string{"night"}, nil, "night", true, nil},
		"a loop alone":                          {"fi", nil, []string{"fix"}, "fix", false, nil},
		"a plan and a loop of its own":          {"ni", []string{"night"}, []string{"nine"}, "", false, []string{"night", "nine"}},
		"a plan and a loop that begins like it": {"fi", []string{"fix"}, []string{"fixture-x"}, "", false, []string{"fix", "fixture-x"}},
		"a plan and two other loops":            {"fix", []string{"fixture-plan"}, []string{"fix-login", "fix-typo"}, "", false, []string{"fixture-plan", "fix-login", "fix-typo"}},
		"two plans":                             {"ni", []string{"night", "nine"}, nil, "", false, []string{"night", "nine"}},
		"two loops":                             {"ni", nil, []string{"night-t1", "nine"}, "", false, []string{"night-t1", "nine"}},
		"a whole id of a plan among other ones": {"night", []string{"night", "night-2"}, nil, "night", true, nil},
		"none":                                  {"fix", []string{"night"}, []string{"nine"}, "", false, nil},
	} {
		a, _ := client()
		a.Dir = t.TempDir()
		id, isPlan, err := Names{among(c.plans...), among(c.loops...)}.Resolve(t.Context(), a, c.typed)
		if id != c.want || isPlan != c.plan {
			t.Errorf("%s: %q plan=%v, want %q plan=%v", name, id, isPlan, c.want, c.plan)
		}
		several, _ := errors.AsType[*engine.AmbiguousError](err)
		if (several != nil) != (c.several != nil) || several != nil && cmp.Diff(c.several, several.IDs) != "" {
			t.Errorf("%s: %v, want the list %v", name, err, c.several)
		}
		if none := c.want == "" && c.several == nil; errors.Is(err, engine.ErrNotFound) != none {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResolveOfOneKind: a command that is about plans only, or about loops only, meets no
// run of the other kind.
func TestResolveOfOneKind(t *testing.T) {
	t.Parallel()
	a, _ := client()
	a.Dir = t.TempDir()
	plans, loops := among("night"), among("nine")
	if id, isPlan, err := (Names{Plans: plans}).Resolve(t.Context(), a, "ni"); id != "night" || !isPlan || err != nil {
		t.Errorf("plans: %s, %v, %v", id, isPlan, err)
	}
	if id, isPlan, err := (Names{Loops: loops}).Resolve(t.Context(), a, "ni"); id != "nine" || isPlan || err != nil {
		t.Errorf("loops: %s, %v, %v", id, isPlan, err)
	}
}

// TestResolveFails: a lookup that fails decides nothing, whatever the other one finds.
func TestResolveFails(t *testing.T) {
	t.Parallel()
	a, _ := client()
	a.Dir = t.TempDir()
	broken := func(context.Context, string) (string, error) { return "", engine.ErrDamaged }
	for name, n := range map[string]Names{"plans": {broken, among("fix")}, "loops": {among("fix"), broken}} {
		if id, _, err := n.Resolve(t.Context(), a, "fix"); id != "" || !errors.Is(err, engine.ErrDamaged) {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

// TestResolveFile: the path of a plan's file names its plan, not a loop of the same name.
func TestResolveFile(t *testing.T) {
	t.Parallel()
	a, _ := client()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a.Dir = dir
	path := filepath.Join(dir, "fix")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	plans := func(_ context.Context, name string) (string, error) {
		if name == path {
			return "fix-0123abcd", nil
		}
		return "", engine.ErrNotFound
	}
	id, isPlan, err := Names{plans, among("fix")}.Resolve(t.Context(), a, "fix")
	if id != "fix-0123abcd" || !isPlan || err != nil {
		t.Errorf("with a plan: %q, %v, %v", id, isPlan, err)
	}
	id, isPlan, err = Names{among(), among("fix")}.Resolve(t.Context(), a, "fix")
	if id != "fix" || isPlan || err != nil {
		t.Errorf("a file that is no plan's: %q, %v, %v", id, isPlan, err)
	}
}
