package judge

import (
	"testing"

	"ralph/internal/testing/prooftest"
)

// A script that the work adds does not judge unless the gate may run it.
func TestNewScripts(t *testing.T) {
	t.Parallel()
	base := `{"scripts":{"test":"node --test","all":"npm run types"}}`
	for name, c := range map[string]struct {
		gate, work string
		judge      bool
	}{
		"new":                {"npm test", `{"scripts":{"test":"node --test","all":"npm run types","lint":"eslint ."}}`, false},
		"new, a hook":        {"npm test", `{"scripts":{"test":"node --test","all":"npm run types","pretest":"rm -r test"}}`, true},
		"named by a script":  {"npm test", `{"scripts":{"test":"node --test","all":"npm run types","types":"true"}}`, true},
		"named by the gate":  {"npm test && npm run lint", `{"scripts":{"test":"node --test","all":"npm run types","lint":"true"}}`, true},
		"by a pattern":       {"npm-run-all test:*", `{"scripts":{"test":"node --test","all":"npm run types","test:b":"true"}}`, true},
		"beside a change":    {"npm test", `{"scripts":{"test":"true","all":"npm run types","lint":"eslint ."}}`, true},
		"one is gone":        {"npm test", `{"scripts":{"test":"node --test","lint":"eslint ."}}`, true},
		"under another case": {"npm test", `{"scripts":{"test":"true","all":"x"},"Scripts":{"test":"node --test","all":"npm run types","lint":"x"}}`, true},
		"twice":              {"npm test", `{"scripts":{"test":"node --test","test":"true","all":"npm run types","lint":"x"}}`, true},
	} {
		k, _ := change(c.gate, prooftest.Tree{"package.json": base, "a.js": "x"}, prooftest.Tree{"package.json": c.work})
		got, err := k.Judges()
		if err != nil || len(got.SetAside) == 1 != c.judge {
			t.Errorf("%s: %q %v", name, got.SetAside, err)
		}
	}
}
