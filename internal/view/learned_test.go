package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/learn"
)

func knownPatterns() []learn.Known {
	at := time.Date(2026, 11, 19, 23, 0, 0, 0, time.UTC)
	fix := learn.Pattern{
		Kind: learn.ErrorFix, Summary: "tests: token_test.go:42: expected 401, got 200: gone after a change to internal/auth/token.go and 1 more",
		Fingerprint: "c4d5e6f7", Gate: "tests", Failing: []string{"TestReject"}, Files: []string{"internal/auth/token.go", "internal/auth/token_test.go"},
		Error: []string{"    token_test.go:42: expected 401, got 200"}, Diff: "--- internal/auth/token.go\n@@ -1 +1 @@\n-if exp < now {\n+if exp <= now {",
		Sources: []learn.Source{{Loop: "ralph-two-00000002", Attempt: 2, At: at, Outcome: learn.OutcomeAccepted}, {Loop: "ralph-one-00000001", Attempt: 1, At: at}},
	}
	evil := "Never call\x1b[2J time.Now\u202E"
	return []learn.Known{
		{Num: 12, Pattern: fix, Review: learn.Promoted, Seen: 2, Used: 4, Decided: 3, Helped: 3},
		{Num: 3, Pattern: learn.Pattern{Kind: learn.Note, Summary: evil, Text: evil + "\nin internal/auth", Paths: []string{"internal/auth/**"}, Sources: []learn.Source{{By: "ann", At: at}}}, Review: learn.Unreviewed, Seen: 1},
		{Num: 140, Pattern: learn.Pattern{Kind: learn.Anti, Summary: "coverage fell from 79 to 70 with a change to a.go", Agent: "claude"}, Review: learn.Unreviewed, Seen: 1, Used: 3, Decided: 3},
		{Num: 7, Pattern: learn.Pattern{Kind: learn.Success, Summary: "claude passed tests in 1 attempt by changing a.go", Sources: []learn.Source{{Loop: "l", By: "claude", At: at}}}, Review: learn.Dropped, Seen: 9},
		{Num: 141, Pattern: learn.Pattern{Kind: learn.ErrorFix, Summary: "tests: want 9, got 10: gone after a change to b.go", Sources: []learn.Source{{Loop: "m", Attempt: 1, At: at, Outcome: learn.OutcomeFailed}}}, Review: learn.Promoted, Seen: 1},
	}
}

func TestLearnedGolden(t *testing.T) {
	t.Parallel()
	all := knownPatterns()
	golden(t, "learned", Learned(all, Palette{}))
	golden(t, "learned-empty", Learned(nil, Palette{}))
	var b strings.Builder
	for _, k := range all {
		b.WriteString(Pattern(k, Palette{ASCII: true, Width: 60}) + "\n=====\n")
	}
	golden(t, "learned-show", b.String())
	for _, screen := range []string{Learned(all, Palette{}), Pattern(all[1], Palette{})} {
		if strings.ContainsAny(screen, "\x1b\u202E") {
			t.Errorf("foreign text reaches the terminal: %q", screen)
		}
	}
}

// TestProposed: the morning report shows what its own loops taught, and nothing
// that a person has looked at or that is of no use.
func TestProposed(t *testing.T) {
	t.Parallel()
	r := Summarize("shop", []Item{{State: started("ralph-two-00000002", "two", clockAt(1, 0))}}, nil, now)
	all := knownPatterns()
	for i := range all {
		all[i].Sources = []learn.Source{{Loop: "ralph-two-00000002"}}
	}
	all = append(all[:4], all[1])
	all[4].Num, all[4].Seen = 41, 5
	other := all[1]
	other.Num, other.Sources = 42, []learn.Source{{Loop: "elsewhere"}}
	r.Propose(append(all, other))
	if len(r.Learned) != 2 || r.Learned[0].Num != 41 || r.Learned[1].Num != 3 {
		t.Errorf("%+v", r.Learned)
	}
	page := Markdown(r, now)
	if !strings.Contains(page, "## Learned (proposed) (2)\n\n- 41, note: `Never call time.Now`\n") {
		t.Error(page)
	}
	if strings.ContainsAny(page, "\x1b\u202E") {
		t.Errorf("foreign text reaches the page: %q", page)
	}
}
