package text

import "testing"

func TestExact(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                       "",
		"sh ./agent.sh":          "sh ./agent.sh",
		"sh ./agent\u200b.sh":    `"sh ./agent\u200b.sh"`,
		"sh ./agent\ufe0f.sh":    `"sh ./agent\ufe0f.sh"`,
		"a\u3164b\u034fc\u2800d": `"a\u3164b\u034fc\u2800d"`,
		"a\u00a0b":               `"a\u00a0b"`,
		"true\nevil":             `"true\nevil"`,
		`true\nevil`:             `true\nevil`,
		`"true\nevil"`:           `"\"true\\nevil\""`,
		"a\tb\r":                 `"a\tb\r"`,
		"x ":                     `"x "`,
		"a\x1b[2Kb\x7f":          `"a\u001b[2Kb\u007f"`,
		"\u202ea\U000E0041":      `"\u202ea\U000e0041"`,
		"a\xffb\uFFFD":           "\"a\\xffb\uFFFD\"",
		"größer 世界 ✓":            "größer 世界 ✓",
		"[sh, \"a b\"]":          `[sh, "a b"]`,
	} {
		got := Exact(in)
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
		if again := Clean(got); again != got {
			t.Errorf("%q: Clean changes it to %q", in, again)
		}
	}
}

// FuzzExact: two texts are never shown alike.
func FuzzExact(f *testing.F) {
	f.Add("a\nb", `a\nb`)
	f.Add("a\n", `"a\n"`)
	f.Add("a\u200b", "a")
	f.Add("a\xff", "a\uFFFD")
	f.Fuzz(func(t *testing.T, a, b string) {
		if a != b && Exact(a) == Exact(b) {
			t.Errorf("%q and %q are both shown as %s", a, b, Exact(a))
		}
	})
}
