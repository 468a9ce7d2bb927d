package planfile

import "testing"

// TestMistakesNameTheField: in each format that has lines, a wrong value is told with its own
// line, not with that of its task.
func TestMistakesNameTheField(t *testing.T) {
	t.Parallel()
	const need, kind = "which is not a task of this plan", "is one of: text, code, feature, fix, docs, refactor, chore"
	for name, c := range map[string]struct{ file, text, want string }{
		"tasks":          {"p.md", "### Task 1: a\n- [ ] x\n\n### Task 2: b\nwords\n**Dependencies:** Task 1, Task 9\n**Kind:** docz\n- [ ] x\n", "p.md:6: task task-2 depends on task-9, " + need + "\np.md:7: task task-2 has the kind \"docz\"; it " + kind},
		"the wrong one":  {"p.md", "### Task 1: a\n**May change:** `a`\n**May change:** `../x`\n- [ ] x\n", "p.md:3: task task-1: \"../x\" is not a valid glob of files that may change"},
		"code, another":  {"p.md", "### Task 1: a\n```\n**Kind:** docz\n```\n**Kind:** docz\n\n### Task 2: b\n**Kind:** docs\n- [ ] x\n", "p.md:5: task task-1 has the kind \"docz\"; it " + kind},
		"sections":       {"p.md", "---\nstatus: pending\nprogress: []\n---\n# P\n\n## a\nwords\n- **Proof**: off\n", "p.md:9: task a has the proof \"off\"; it is one of: required, review, none"},
		"Kiro":           {"p.md", "- [ ] 1. whole\n  - [ ] 1.1 a\n    words\n    _Depends: 7.7_\n    _Requirements: 1.1_\n", "p.md:4: task 1.1 depends on 7.7, " + need},
		"Spec Kit":       {"p.md", "- [ ] T001 a\n  **Kind:** docz\n- [ ] T002 b (depends on T009)\n", "p.md:2: task T001 has the kind \"docz\"; it " + kind + "\np.md:3: task T002 depends on T009, " + need},
		"RALPH.md":       {"RALPH.md", "---\nagent: x\nproof: none\nkind: docz\n---\n# P\n\nwork\n", "RALPH.md:4: task p has the kind \"docz\"; it " + kind},
		"stories":        {"p.json", "[\n {\"id\": 1, \"title\": \"a\"},\n {\n  \"id\": 2,\n  \"title\": \"b\",\n  \"dependsOn\": [\n   1,\n   9\n  ],\n  \"kind\": \"docz\"\n }\n]", "p.json:8: task 2 depends on 9, " + need + "\np.json:10: task 2 has the kind \"docz\"; it " + kind},
		"the plan's own": {"p.json", "{\"schema\": \"ralph.plan/v1\", \"tasks\": [{\n \"id\": \"a\", \"title\": \"a\", \"status\": \"pending\",\n \"needs\": [\n  {\"on\": \"b\", \"why\": \"stated\"}]}]}", "p.json:4: task a depends on b, " + need},
		"a part":         {"p.json", "{\"tasks\": [{\n \"id\": 1, \"title\": \"a\", \"details\": \"\",\n \"mayChange\": [\"../x\"],\n \"subtasks\": [\n  {\"id\": 1, \"title\": \"b\"}]}]}", "p.json:3: task 1.1: \"../x\" is not a valid glob of files that may change"},
		"a cycle":        {"p.md", "### Task 1: a\n**Depends on:** Task 2\n- [ ] x\n\n### Task 2: b\n**Depends on:** Task 1\n- [ ] x\n", "p.md:2: these tasks wait for each other: task-1 → task-2 → task-1"},
	} {
		_, err := Read(c.file, []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", name, err, c.want)
		}
	}
}

// TestWarningsNameTheDependencies: dependencies that are not understood are told with their line.
func TestWarningsNameTheDependencies(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"tasks":  "### Task 1: a\nwords\n**Dependencies:** the other one\n- [ ] x\n",
		"issues": "#### Issue: `cli`\n\n**Depends on**: `core`\n- [ ] x\n",
	} {
		f := mustRead(t, "p.md", []byte(text))
		if len(f.Warnings) != 1 || f.Warnings[0].Line != 3 {
			t.Errorf("%s: %+v", name, f.Warnings)
		}
	}
}
