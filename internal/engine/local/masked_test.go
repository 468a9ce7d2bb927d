package local

import (
	"encoding/json"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/secret"
)

// TestMasked: no part of a question that an agent puts keeps a secret.
func TestMasked(t *testing.T) {
	t.Parallel()
	key, value := "ghp_"+"R4nD0mQx7LmZ2vKpY9tBs6WcHu3JfEaG1iNo", "a-value-of-a-variable"
	m := secret.New(value)
	data, err := json.Marshal(loop.Question{Text: "use " + key + value + "?", Default: key, Options: []string{key + " " + value, "no"}, Dispute: &loop.Dispute{Gate: "tests", Why: value + " needs " + key}})
	if err != nil {
		t.Fatal(err)
	}
	var got loop.Question
	if err := json.Unmarshal([]byte(masked(m, engine.Command{Kind: engine.Ask, Text: string(data)}).Text), &got); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{got.Text, got.Default, got.Options[0], got.Dispute.Why} {
		if part == "" || strings.Contains(part, key) || strings.Contains(part, value) {
			t.Errorf("kept: %q", part)
		}
	}
	if got.Options[1] != "no" || got.Dispute.Gate != "tests" {
		t.Errorf("%+v", got)
	}
	for _, c := range []engine.Command{{Kind: engine.Answer, Text: key}, {Kind: engine.Ask, Text: "{"}} {
		if masked(m, c) != c {
			t.Errorf("%+v is changed", c)
		}
	}
}
