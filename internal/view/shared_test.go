package view

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/scope"
)

func scoped(id string, globs ...string) loop.State {
	s := started(id, "task of "+id, clockAt(11, 0))
	s.Task.Scope = globs
	return s
}

func TestOverlaps(t *testing.T) {
	t.Parallel()
	over := scoped("over", "**")
	over.Status = loop.StatusPassed
	others := []loop.State{scoped("a", "internal/auth"), scoped("b", "docs/**", "**/*.md"), scoped("c"), scoped("d", "web"), over}
	got := OverlapsOf(scoped("a", "internal/**", "docs/*.md"), others)
	want := []Overlap{{"b", []scope.Pair{{Mine: "internal/**", Theirs: "**/*.md"}, {Mine: "docs/*.md", Theirs: "docs/**"}, {Mine: "docs/*.md", Theirs: "**/*.md"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if words := got[0].Words(); words != "scope internal/**, docs/*.md overlaps with loop b (**/*.md, docs/**)" {
		t.Errorf("%q", words)
	}
	if OverlapsOf(over, others) != nil || OverlapsOf(scoped("x"), others) != nil {
		t.Error("a loop that is over, or has no scope, is in somebody's way")
	}
}

// A scope in common is shown by the list, the story and the object; a start with
// --force by the story, the report and the object.
func TestShownWithOthers(t *testing.T) {
	t.Parallel()
	s := scoped("a", "internal/**", "web\x1b[2J")
	s.ForcedOver, s.Parent = 4, "orch"
	i := Item{s, Facts{Live: true, Overlaps: OverlapsOf(s, []loop.State{scoped("b", "internal/api")})}}
	words := "scope internal/** overlaps with loop b (internal/api)"
	forced := "ran beside 4 loops with --force: 5 loops make 10 communication paths; 5–7 loops: significant, for complex work only"
	list, story := List([]Item{i}, nil, "", false, 0, now, Palette{}), LoopOf(Item{s, i.Facts}, now).Show(now, Palette{})
	for text, parts := range map[string][]string{list: {words}, story: {words, "parent    orch", "scope     internal/**, web␛[2J\n", "LOOK TWICE", forced}} {
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%q is missing in:\n%s", part, text)
			}
		}
	}
	o := LoopOf(Item{s, i.Facts}, now).Object()
	if *o.ForcedOver != 4 || *o.Paths != 10 || *o.Parent != "orch" || len(o.Overlaps) != 1 || len(o.Scope) != 2 {
		t.Errorf("%+v", o)
	}
	r := Summarize("p", []Item{i}, nil, now)
	if len(r.LookTwice) != 1 || r.LookTwice[0].Note != forced {
		t.Errorf("%+v", r.LookTwice)
	}
	if o := LoopOf(Item{scoped("x"), Facts{}}, now).Object(); o.ForcedOver != nil || o.Paths != nil || o.Overlaps == nil || o.Scope == nil {
		t.Errorf("%+v", o)
	}
}
