package command

import "testing"

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, command string
		want           bool
	}{
		{"statsu", "status", true},
		{"rnu", "run", true},
		{"bogus", "logs", false},
		{"tatus", "status", true},
		{"xstatus", "status", true},
		{"gun", "run", true},
		{"gunn", "run", false},
		{"", "run", true},
	} {
		if got := alike(c.typed, c.command); got != c.want {
			t.Errorf("alike(%q, %q) = %v", c.typed, c.command, got)
		}
	}
}
