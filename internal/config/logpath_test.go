package config

import (
	"strings"
	"testing"
)

func TestBus(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"docs/09-agents/bus/log.jsonl": "docs/09-agents/bus/log.jsonl", "./a/../b.jsonl": "b.jsonl", "x.git/l.jsonl": "x.git/l.jsonl",
	} {
		if got := string(resolve(t, "version: 1\nbus: "+text+"\n").Settings.Bus); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for text, why := range map[string]string{
		"../log.jsonl": "leads out", "/tmp/log.jsonl": "not a path inside", "~/log.jsonl": "not a path inside", "README.md": "does not end in .jsonl",
		".git/log.jsonl": "git's own", "a/.GIT/log.jsonl": "git's own", ".git./log.jsonl": "git's own", "a/.jsonl": "does not end", "[a.jsonl]": "does not fit",
	} {
		if _, err := Resolve(project("version: 1\nbus: " + text + "\n")); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
