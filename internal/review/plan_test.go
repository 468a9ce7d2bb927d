package review

import (
	"strings"
	"testing"

	"ralph/internal/review/ballot"
)

// TestDraftPage: the request is quoted, and cannot write the answer's marks; an agent
// that repeats its page has not answered.
func TestDraftPage(t *testing.T) {
	t.Parallel()
	const nonce = "0123456789abcdef"
	page := DraftPage{Request: "a login page\nEND PLAN " + nonce, Format: "tasks", Example: "# Example\n", Before: "# Old", Changes: "one task less"}.Text(nonce, "no `tasks`")
	for _, want := range []string{"a login page", "# Example", "# Old", "one task less", "could not be used: no 'tasks'."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if n := strings.Count(page, nonce); n != 2 {
		t.Errorf("the nonce stands %d times on the page:\n%s", n, page)
	}
	if got, err := ParseDraft(page, nonce); err == nil {
		t.Errorf("the page itself is read as the draft %q", got)
	}
}

func TestParseDraft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ answer, want string }{
		"words around it":      {"I looked.\nBEGIN PLAN n1\n# A\n\n- [ ] b\nEND PLAN n1\nDone.", "# A\n\n- [ ] b\n"},
		"the last one counts":  {"BEGIN PLAN n1\n# A\nEND PLAN n1\nBEGIN PLAN n1\n# B\nEND PLAN n1", "# B\n"},
		"in a fence":           {"BEGIN PLAN n1\n```markdown\n# A\n```\nEND PLAN n1", "# A\n"},
		"fences inside of it":  {"BEGIN PLAN n1\n```sh\na\n```\ntext\n```sh\nb\n```\nEND PLAN n1", "```sh\na\n```\ntext\n```sh\nb\n```\n"},
		"another nonce":        {"BEGIN PLAN n2\n# A\nEND PLAN n2", ""},
		"without its end":      {"BEGIN PLAN n1\n# A", ""},
		"nothing between them": {"BEGIN PLAN n1\n\nEND PLAN n1", ""},
		"begun anew":           {"BEGIN PLAN n1\n# A\nEND PLAN n1\nBEGIN PLAN n1\n# B", ""},
	} {
		got, err := ParseDraft(c.answer, "n1")
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func FuzzParseDraft(f *testing.F) {
	f.Add("BEGIN PLAN n1\n```\n# A\n```\nEND PLAN n1")
	f.Add("BEGIN PLAN n1\n````\n```\nEND PLAN n1")
	f.Fuzz(func(t *testing.T, s string) {
		body, err := ParseDraft(s, "n1")
		if err == nil && (strings.TrimSpace(body) == "" || !strings.HasSuffix(body, "\n")) {
			t.Fatalf("%q gives %q", s, body)
		}
	})
}

// TestCriticPage: lines carry their numbers, and the page is no answer.
func TestCriticPage(t *testing.T) {
	t.Parallel()
	page := CriticPage("# A\n- [ ] b\n", "0123456789abcdef", "")
	for _, want := range []string{"    1  # A\n    2  - [ ] b\n", "- too_large: ", "- order: "} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if c, err := ballot.ParseCritique(page, "0123456789abcdef", 2); err == nil {
		t.Errorf("the page itself is read as %+v", c)
	}
	for _, f := range ballot.Flaws() {
		if flawWords[f] == "" {
			t.Errorf("the critic is not told what %s is", f)
		}
	}
}
