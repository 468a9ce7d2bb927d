package plan

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// of makes tasks of "id: need need", in lines 1, 2, 3, …
func of(lines ...string) Plan {
	var p Plan
	for i, l := range lines {
		id, needs, _ := strings.Cut(l, ":")
		t := Task{ID: id, Title: "do " + id, Line: i + 1}
		for n := range strings.FieldsSeq(needs) {
			t.Needs = append(t.Needs, Need{n, Stated})
		}
		p.Tasks = append(p.Tasks, t)
	}
	return p
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	untitled := of("a", "b")
	untitled.Tasks[1].Title = " \t"
	nameless := of("a", " ")
	many := Plan{Tasks: make([]Task, MaxTasks+1)}
	many.Tasks[MaxTasks].Line = 7
	for name, c := range map[string]struct {
		plan Plan
		want Errors
	}{
		"no tasks":        {Plan{}, Errors{{Kind: NoTasks}}},
		"too many":        {many, Errors{{Kind: TooMany, Line: 7}}},
		"no id":           {nameless, Errors{{Kind: EmptyID, Line: 2}}},
		"no title":        {untitled, Errors{{Kind: EmptyTitle, Line: 2, Task: "b"}}},
		"twice":           {of("a", "b", "a"), Errors{{Kind: DuplicateID, Line: 3, Task: "a", First: 1}}},
		"unknown":         {of("a: x"), Errors{{Kind: UnknownNeed, Line: 1, Task: "a", Other: "x"}}},
		"itself":          {of("a", "b: b"), Errors{{Kind: Cycle, Line: 2, Task: "b", Path: []string{"b", "b"}}}},
		"two":             {of("a: b", "b: a"), Errors{{Kind: Cycle, Line: 1, Task: "a", Path: []string{"a", "b", "a"}}}},
		"a ring behind":   {of("z: b", "b: d", "c: b", "d: c"), Errors{{Kind: Cycle, Line: 2, Task: "b", Path: []string{"b", "d", "c", "b"}}}},
		"several at once": {of("a: x", "a", "b: y"), Errors{{Kind: UnknownNeed, Line: 1, Task: "a", Other: "x"}, {Kind: DuplicateID, Line: 2, Task: "a", First: 1}, {Kind: UnknownNeed, Line: 3, Task: "b", Other: "y"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := errors.AsType[Errors](c.plan.Validate())
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSound(t *testing.T) {
	t.Parallel()
	for _, p := range []Plan{of("a"), of("b: a", "a"), of("a", "b: a a", "c: a b")} {
		if err := p.Validate(); err != nil {
			t.Errorf("%v: %v", p, err)
		}
	}
	if err := (Plan{Tasks: wide(MaxTasks)}).Validate(); err != nil {
		t.Errorf("as many as may be: %v", err)
	}
}

func wide(n int) []Task {
	all := make([]Task, n)
	for i := range all {
		all[i] = Task{ID: string(rune('a'+i%26)) + strings.Repeat("x", i/26), Title: "t"}
	}
	return all
}

// What a person reads, and errors.As on each of several.
func TestErrorText(t *testing.T) {
	t.Parallel()
	err := of("a: x", "b", "b").Validate()
	want := "line 1: task a depends on x, which is not a task of this plan\nline 3: task b is already in line 2"
	if err.Error() != want {
		t.Errorf("got %q", err)
	}
	if one, ok := errors.AsType[*Error](err); !ok || one.Kind != UnknownNeed {
		t.Errorf("the first one is %+v", one)
	}
	ring := of("a: c", "b: a", "c: b").Validate()
	if want := "line 1: these tasks wait for each other: a → c → b → a"; ring.Error() != want {
		t.Errorf("got %q", ring)
	}
}
