package loop

import (
	"strings"
	"testing"
)

// TestAClashIsBounded: it names some of the files, and counts the others.
func TestAClashIsBounded(t *testing.T) {
	t.Parallel()
	many := strings.Split(strings.Repeat("f ", 12), " ")[:12]
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"a", "b"}, "conflicts with main in a, b"},
		{many, "conflicts with main in f, f, f, f, f, f, f, f, f, f and 2 more"},
		{[]string{strings.Repeat("x", 4000)}, "conflicts with main in 1 file"},
		{[]string{strings.Repeat("x", 4000), strings.Repeat("y", 4000)}, "conflicts with main in 2 files"},
	} {
		if got := NewClash("main", "m", "w", c.files).String(); got != c.want {
			t.Errorf("%s", got)
		}
	}
}

// TestARedMergeIsAClash: it names the gate and its finding, and is the same for the same
// commits.
func TestARedMergeIsAClash(t *testing.T) {
	t.Parallel()
	c := RedClash("main", "m", "w", "tests", "1 of 3 failed: "+strings.Repeat("x", 4000))
	if got := c.String(); !strings.HasPrefix(got, "a red gate on the merge with main, tests: 1 of 3 failed: x") || len(got) > 500 {
		t.Error(got)
	}
	if other := RedClash("main", "later", "w", "tests", ""); !c.Same(&c) || c.Same(&other) {
		t.Error("the same conflict is one of the same two commits")
	}
}
