package view

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"testing"
)

// TestTrace: one file with every attempt, whose policy allows its own script and nothing
// else, and in which what an agent wrote is text.
func TestTrace(t *testing.T) {
	t.Parallel()
	const hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>"
	l := LoopOf(exhausted(), now)
	texts := make([]Texts, len(l.Attempts))
	for i := range texts {
		texts[i] = Texts{Prompt: "prompt of it " + hostile, Agent: `{"kind":"text","text":"it said ` + hostile + `"}`, Patch: "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+func " + hostile + "\n"}
	}
	got, err := Trace(l, texts, now)
	if err != nil {
		t.Fatal(err)
	}
	if !IsTrace([]byte(got)) || IsTrace([]byte("# Plan\n")) {
		t.Error("a trace is not known as one, or another file is")
	}
	if n := strings.Count(got, `<section class="attempt"`); n != len(l.Attempts) || n < 2 {
		t.Errorf("%d of %d attempts", n, len(l.Attempts))
	}
	for _, want := range []string{"prompt of it &lt;script&gt;", "it said &lt;script&gt;", `<span class="k">func</span>`, `<tr class="add">`} {
		if strings.Count(got, want) != len(l.Attempts) {
			t.Errorf("%q is not in each attempt", want)
		}
	}
	scripts := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(got, -1)
	if len(scripts) != 1 || regexp.MustCompile(`<img|https?://`).MatchString(got) {
		t.Fatalf("%d scripts, or something from elsewhere", len(scripts))
	}
	sum := sha256.Sum256([]byte(scripts[0][1]))
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(got)[1])
	if !strings.Contains(policy, "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Error(policy)
	}
	for i := range texts {
		texts[i].Cut = []string{"prompt", "patch", "agent", "gate " + l.Attempts[i].Results[0].Gate}
	}
	got, err = Trace(l, texts, now)
	if n := strings.Count(got, `class="note"`); err != nil || n != 4*len(l.Attempts) {
		t.Errorf("%d notes of what is cut, %v", n, err)
	}
	if got, err = Trace(l, nil, now); err != nil || strings.Count(got, `<section class="attempt"`) != len(l.Attempts) {
		t.Errorf("without texts: %v", err)
	}
}
