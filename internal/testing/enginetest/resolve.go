package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/journal"
)

// resolves holds a store to the rule by which a prefix stands for a run.
func resolves[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	many := make([]string, 12)
	for n := range many {
		many[n] = fmt.Sprintf("many-%c", 'l'-n)
		f.create(t, many[n], nil)
	}
	slices.Sort(many)
	for _, id := range []string{"someone", "some", "fix-b"} {
		f.create(t, id, nil)
	}
	for _, id := range []string{"old-b", "old-a", "fix-a", "former"} {
		f.end(t, f.create(t, id, nil), f.Closed)
		ok(t, f.Store.Archive(t.Context(), id))
	}
	for name, row := range map[string]struct {
		prefix, want string
		several      []string
	}{
		"an id":                               {prefix: "someone", want: "someone"},
		"an id that another one begins with":  {prefix: "some", want: "some"},
		"the beginning of one":                {prefix: "someo", want: "someone"},
		"the beginning of two":                {prefix: "so", several: []string{"some", "someone"}},
		"the beginning of an archived one":    {prefix: "fo", want: "former"},
		"an archived one gives way":           {prefix: "fix-", want: "fix-b"},
		"the id of an archived one":           {prefix: "fix-a", want: "fix-a"},
		"the beginning of two archived ones":  {prefix: "old", several: []string{"old-a", "old-b"}},
		"the beginning of many":               {prefix: "many", several: append(many[:9:9], many[11])},
		"none":                                {prefix: "none"},
		"nothing":                             {prefix: ""},
		"a character that no id has":          {prefix: "som%"},
		"one that stands for any in patterns": {prefix: "som_"},
		"more than an id":                     {prefix: "someone-else"},
		"capital letters":                     {prefix: "SOME"},
	} {
		id, err := f.Store.Resolve(t.Context(), row.prefix)
		several, ambiguous := errors.AsType[*engine.AmbiguousError](err)
		switch {
		case id != row.want || (err == nil) != (row.want != ""):
			t.Errorf("%s: %q, %v, want %q", name, id, err, row.want)
		case ambiguous != (row.several != nil) || ambiguous && !slices.Equal(several.IDs, row.several):
			t.Errorf("%s: %v, want one of %q", name, err, row.several)
		case err != nil && !ambiguous && !errors.Is(err, engine.ErrNotFound):
			t.Errorf("%s: %v", name, err)
		}
	}
}
