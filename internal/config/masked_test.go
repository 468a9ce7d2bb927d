package config

import (
	"strings"
	"testing"
)

func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	for name, hidden := range map[string]bool{
		"ANTHROPIC_API_KEY": true, "GITHUB_TOKEN": true, "TOKEN": true, "db_password": true, "AWS_SECRET_ACCESS_KEY": true,
		"PROXY_AUTH": true, "KEYBOARD": false, "MONKEY": false, "AUTHOR": false, "PATH": false, "TOKENIZERS_PARALLELISM": false,
	} {
		vars := Vars{name: "s3cret"}
		text := maskedText(&vars)
		if strings.Contains(text, "s3cret") == hidden || !strings.Contains(text, name) {
			t.Errorf("%s is shown as %s", name, text)
		}
		if vars[name] != "s3cret" {
			t.Errorf("%s was changed by being shown", name)
		}
	}
	empty := Vars{"API_KEY": ""}
	if text := maskedText(&empty); strings.Contains(text, masked) {
		t.Errorf("a key that is taken away is shown as set: %s", text)
	}
}
