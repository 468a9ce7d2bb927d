package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ralph/internal/engine"
)

// inner is a request for the plan "outer" with one plan in the place of a task.
func inner(id string, in map[string]engine.InnerPlan) engine.PlanSpec {
	return engine.PlanSpec{ID: "outer", Inner: map[string]engine.InnerPlan{"sub/a.md": {ID: id, File: "sub/a.md", Text: []byte("a"), Inner: in}}}
}

// TestPlanRequest: what a request calls the plans in it are ids, each of one plan, and none of
// a plan around it. They become folders and branches of the machine that drives the plan.
func TestPlanRequest(t *testing.T) {
	t.Parallel()
	one := engine.InnerPlan{ID: "b", File: "b.md", Text: []byte("b")}
	other := one
	other.Text = []byte("other")
	elsewhere := one
	elsewhere.File = "elsewhere/b.md"
	wrong := engine.InnerPlan{ID: "outer", File: "outer.md", Wrong: "outer.md contains itself"}
	hostile := wrong
	hostile.ID = "../outer"
	beside := func(a, b engine.InnerPlan) engine.PlanSpec {
		return inner("a", map[string]engine.InnerPlan{"b.md": a, "./b.md": b})
	}
	for name, c := range map[string]struct {
		spec engine.PlanSpec
		why  string // "" is none
	}{
		"nothing in it":                {engine.PlanSpec{ID: "outer"}, ""},
		"one in another":               {inner("a", map[string]engine.InnerPlan{"b.md": one}), ""},
		"one plan in two places":       {beside(one, one), ""},
		"one that contains itself":     {inner("a", map[string]engine.InnerPlan{"outer.md": wrong}), ""},
		"two that are around it":       {engine.PlanSpec{ID: "outer", Ancestors: []string{"first", "second"}}, ""},
		"no id":                        {inner("", nil), `loop id ""`},
		"a folder below":               {inner("a/b", nil), `"a/b"`},
		"a folder above":               {inner("../../a", nil), `"../../a"`},
		"the folder above":             {inner("..", nil), `".."`},
		"an absolute path":             {inner("/etc/cron.d/a", nil), `"/etc/cron.d/a"`},
		"a path of Windows":            {inner(`..\a`, nil), `"..\\a"`},
		"the end of a text":            {inner("a\x00b", nil), `"a\x00b"`},
		"a line of its own":            {inner("a\nb", nil), `"a\nb"`},
		"colours":                      {inner("\x1b[31ma", nil), `"\x1b[31ma"`},
		"letters that look alike":      {inner("ɑ", nil), `"ɑ"`},
		"an option":                    {inner("--upload-pack=a", nil), `"--upload-pack=a"`},
		"the lock of a ref":            {inner("a.lock", nil), `"a.lock"`},
		"too long":                     {inner(strings.Repeat("a", 65), nil), "1 to 64"},
		"the id of the plan around it": {inner("outer", nil), "outer is the id of a plan around it"},
		"a cycle":                      {inner("a", map[string]engine.InnerPlan{"b.md": {ID: "b", Inner: map[string]engine.InnerPlan{"a.md": {ID: "a"}}}}), "a is the id of a plan around it"},
		"the id of an ancestor":        {engine.PlanSpec{ID: "outer", Ancestors: []string{"b"}, Inner: map[string]engine.InnerPlan{"b.md": one}}, "b is the id of a plan around it"},
		"two texts with one id":        {beside(one, other), "b is the id of another plan"},
		"two files with one id":        {beside(one, elsewhere), "b is the id of another plan"},
		"two texts at two depths":      {inner("b", map[string]engine.InnerPlan{"c.md": {ID: "c"}, "d.md": {ID: "d", Inner: map[string]engine.InnerPlan{"c.md": {ID: "c", Text: []byte("other")}}}}), "c is the id of another plan"},
		"a hostile id that is not run": {inner("a", map[string]engine.InnerPlan{"b.md": hostile}), `"../outer"`},
		"a hostile id in another":      {inner("a", map[string]engine.InnerPlan{"b.md": {ID: "b/c"}}), `"b/c"`},
		"a hostile id of its own":      {engine.PlanSpec{ID: "../outer"}, `"../outer"`},
		"a hostile id of an ancestor":  {engine.PlanSpec{ID: "outer", Ancestors: []string{"a/b"}}, `"a/b"`},
		"its own ancestor":             {engine.PlanSpec{ID: "outer", Ancestors: []string{"outer"}}, "plan outer is run in its own place"},
		"an ancestor that is its own":  {engine.PlanSpec{ID: "outer", Ancestors: []string{"a", "a"}}, "plan a is run in its own place"},
	} {
		data, err := json.Marshal(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine.ReadPlanSpec(c.spec.ID, data)
		switch {
		case c.why == "" && (err != nil || got.ID != c.spec.ID):
			t.Errorf("%s: refused: %v", name, err)
		case c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)):
			t.Errorf("%s: %v, want %s", name, err, c.why)
		case c.why != "" && (got.ID != "" || strings.ContainsAny(err.Error(), "\n\x00\x1b")):
			t.Errorf("%s: read %+v, and told %q", name, got, err)
		}
	}
	for name, data := range map[string]string{"nothing": "", "a part": `{"id": "outer"`, "another plan's": `{"id": "other"}`} {
		if _, err := engine.ReadPlanSpec("outer", []byte(data)); err == nil || !strings.Contains(err.Error(), "the request of plan outer") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
