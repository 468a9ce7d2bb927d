package ballot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseCritique(t *testing.T) {
	t.Parallel()
	const one = `{"nonce": "n1", "summary": "s", "findings": [{"line": 3, "flaw": "ORDER", "what": "late", "fix": ""}, {"line": 0, "flaw": "criteria", "what": "none"}]}`
	got, err := ParseCritique("words "+one+"\n"+one, "n1", 3)
	if err != nil {
		t.Fatal(err)
	}
	want := Critique{Summary: "s", Findings: []Criticism{{Flaw: NoCriteria, What: "none"}, {Line: 3, Flaw: Order, What: "late"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c, err := ParseCritique(`{"nonce": "n1", "findings": []}`, "n1", 3); err != nil || len(c.Findings) != 0 {
		t.Errorf("a sound plan: %+v, %v", c, err)
	}
	for name, answer := range map[string]string{
		"another nonce":     strings.ReplaceAll(one, "n1", "n2"),
		"no list":           `{"nonce": "n1", "summary": "fine"}`,
		"null":              `{"nonce": "n1", "findings": null}`,
		"unknown flaw":      `{"nonce": "n1", "findings": [{"line": 1, "flaw": "ugly", "what": "x"}]}`,
		"after the end":     `{"nonce": "n1", "findings": [{"line": 4, "flaw": "order", "what": "x"}]}`,
		"before the start":  `{"nonce": "n1", "findings": [{"line": -1, "flaw": "order", "what": "x"}]}`,
		"without words":     `{"nonce": "n1", "findings": [{"line": 1, "flaw": "order"}]}`,
		"two that differ":   one + `{"nonce": "n1", "findings": []}`,
		"a key that is two": `{"nonce": "n1", "findings": [], "findings": []}`,
		"nothing":           "",
	} {
		if c, err := ParseCritique(answer, "n1", 3); err == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func FuzzParseCritique(f *testing.F) {
	f.Add(`{"nonce": "n1", "findings": [{"line": 1, "flaw": "order", "what": "x"}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCritique(s, "n1", 5)
		for _, x := range c.Findings {
			if err == nil && (x.Line < 0 || x.Line > 5 || x.What == "" || strings.Contains(x.What, "\n")) {
				t.Fatalf("%q gives %+v", s, x)
			}
		}
	})
}
