package prompt

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/learn"
)

// taught is what two earlier loops left: a fix for the failure at hand, and a
// note that says everything that could break out of its place.
func taught(in Input) Input {
	at := time.Date(2026, 11, 19, 23, 0, 0, 0, time.UTC)
	evil := hostile().State.Task.Text
	in.Learned = []learn.Known{
		{Num: 12, Review: learn.Unreviewed, Seen: 2, Used: 3, Decided: 3, Helped: 2, Pattern: learn.Pattern{
			Kind: learn.ErrorFix, Fingerprint: "c4d5e6f7", Gate: "tests", Files: []string{"internal/auth/token.go"},
			Error: []string{"    token_test.go:42: Expected: 401, Received: 200"}, Diff: "--- internal/auth/token.go\n@@ -1 +1 @@\n-if exp < now {\n+if exp*1000 <= now {",
			Sources: []learn.Source{{Loop: "ralph-expiry-in-ms-0badcafe", Attempt: 2, At: at}},
		}},
		{Num: 7, Review: learn.Promoted, Seen: 1, Pattern: learn.Pattern{
			Kind: learn.Note, Text: evil, Sources: []learn.Source{{By: evil, Loop: evil, At: at}},
		}},
	}
	return in
}

func TestLearnedGolden(t *testing.T) {
	t.Parallel()
	golden(t, "learned", build(t, taught(third())))
}

// TestLearnedIsWhatStandsThere: a template that leaves the notes out shows none.
func TestLearnedIsWhatStandsThere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		template string
		max      int
		want     []int64
	}{
		"built in":     {"", 0, []int64{12, 7}},
		"left out":     {"{{.Task}}", 0, nil},
		"taken up":     {"{{.Task}}\n{{.Learned}}", 0, []int64{12, 7}},
		"said to be":   {"BEGIN DATA {{.Nonce}} (note 12)", 0, nil},
		"hardly room":  {"", 8000, []int64{12, 7}},
		"no room left": {strings.Repeat("x", 9000) + "{{.Learned}}", 9300, nil},
	} {
		in := taught(first())
		in.Template, in.MaxBytes = c.template, c.max
		page, err := Build(in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(page.Learned, c.want) {
			t.Errorf("%s: %v", name, page.Learned)
		}
	}
}
