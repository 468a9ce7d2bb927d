package plan

import (
	"strings"
	"testing"
)

func TestLarge(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		task Task
		want bool
	}{
		"nothing":        {Task{}, false},
		"small":          {Task{Title: "Fix the typo", Text: "In README."}, false},
		"at the limit":   {Task{Title: "x", Text: strings.Repeat("ü", 200)}, false},
		"over it":        {Task{Title: "x", Text: strings.Repeat("ü", 201)}, true},
		"implements":     {Task{Title: "Implement the parser"}, true},
		"creates":        {Task{Title: "(Re)CREATE tables"}, true},
		"text says so":   {Task{Title: "x", Text: "implement"}, false},
		"long title":     {Task{Title: strings.Repeat("x ", 300)}, false},
		"text of spaces": {Task{Title: "x", Text: strings.Repeat(" ", 200)}, false},
	} {
		if got := tt.task.Large(); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
	}
}
