package loop

import "testing"

func TestCoversAll(t *testing.T) {
	t.Parallel()
	for glob, want := range map[string]bool{
		"**": true, "*": true, ".": true, "./": true, "./**": true, "**/*": true, "*/**": true, "**/": true, "***": true,
		"*/*": false, "**/*_test.go": false, "tests/**": false, "*.go": false, "?": false, "a": false, "**/.github": false,
	} {
		if coversAll(glob) != want {
			t.Errorf("%q: not %v", glob, want)
		}
	}
	s := Spec{MayChange: []string{"a", "**", "**"}, Task: Task{Scope: []string{"*", "b/**"}}}
	if got := s.boundless(); got != "the work had permission to change every file that judges it (**, *)" || (Spec{}).boundless() != "" {
		t.Error(got)
	}
}
