package planfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/plan"
)

// What a task says about its proof survives every format that is written, and is
// read by every one that people write.
func TestPermissionInEveryFormat(t *testing.T) {
	t.Parallel()
	want := permitted{"refactor", "none", []string{"**/*_test.go", "Makefile"}, []string{"docker", "gpu"}}
	given := plan.Plan{Title: "P", Tasks: []plan.Task{
		{ID: "1", Title: "a", Status: plan.Pending, Kind: want.Kind, Proof: want.Proof, MayChange: want.MayChange, RunsOn: want.RunsOn},
		{ID: "2", Title: "b", Status: plan.Pending, Needs: []plan.Need{{On: "1", Why: plan.Stated}}},
	}}
	for _, as := range Rendered() {
		text, _, err := Render(given, as)
		if err != nil {
			t.Fatalf("%s: %v", as, err)
		}
		for range 2 { // once more, from what was read
			f, err := ReadAs("x", text, as)
			if err != nil {
				t.Fatalf("%s: %v", as, err)
			}
			if d := cmp.Diff([]permitted{want, {}}, []permitted{permissionOf(f.Plan.Tasks[0]), permissionOf(f.Plan.Tasks[1])}); d != "" {
				t.Errorf("%s: %s\n%s", as, d, text)
			}
			if text, _, err = Render(f.Plan, as); err != nil {
				t.Fatalf("%s: %v", as, err)
			}
		}
	}
	for name, c := range map[string]struct{ file, text string }{
		"globs without code": {"p.md", "# P\n\n### Task 1: a\n**Kind:** Refactor\n**Proof:** `none`\n**May change:** **/*_test.go, Makefile\n**Runs on:** docker, GPU\n- [ ] x\n"},
		"camel case":         {"p.json", `{"userStories": [{"id": "1", "title": "a", "kind": "refactor", "proof": "none", "mayChange": ["**/*_test.go", "Makefile"], "runsOn": ["docker", "gpu"]}]}`},
		"RALPH.md":           {"RALPH.md", "---\nagent: x\nkind: refactor\nproof: none\nmay_change: ['**/*_test.go', Makefile]\nruns_on: [docker, gpu]\n---\n# P\n\nwork\n"},
		"a part":             {"tasks.json", `{"tasks": [{"id": 1, "title": "a", "details": "", "kind": "refactor", "proof": "none", "may_change": ["**/*_test.go"], "runs_on": ["docker", "gpu"], "subtasks": [{"id": 1, "title": "b"}]}]}`},
	} {
		got := permissionOf(mustRead(t, c.file, []byte(c.text)).Plan.Tasks[0])
		want := want
		if name == "a part" {
			want.MayChange = want.MayChange[:1]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestPermissionMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# P\n\n### Task 1: a\n**Kind:** bug\n- [ ] x\n":               `p:4: task task-1 has the kind "bug"; it is one of: text, code, feature, fix, docs, refactor, chore`,
		"- [ ] a\n  **Proof:** off\n":                                  `p:2: task a has the proof "off"; it is one of: required, review, none`,
		"- [ ] a\n\n- [ ] b\n  **May change:** `../x`\n":               `p:4: task b: "../x" is not a valid glob of files that may change`,
		"- [ ] a\n  **Runs on:** a gpu\n":                              `p:2: task a runs on label "a gpu": use 1 to 32 of a-z 0-9 . _ - beginning with a letter or digit`,
		`{"userStories": [{"id": "1", "title": "a", "kind": 3}]}`:      "p:1: kind is not text",
		"---\nagent: x\ncommands: []\nmay_change: {a: b}\n---\n# P\nw": "p:4: may_change is not a list",
	} {
		_, err := Read("p", []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}
