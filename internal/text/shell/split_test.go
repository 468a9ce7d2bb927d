package shell

import (
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"a 'b c' \"d\\\"e\" f\\ g":  `a,b c,d"e,f g`,
		"A=1 B='x y' cmd x":         "cmd,x",
		"a&&b||c;d|e&f\ng":          "a / b / c / d / e / f / g",
		"'' x":                      ",x",
		"a 2>&1 | b >&2":            "a,2>&1 / b,>&2",
		"a 'never ends":             "a,never ends",
		"a \\":                      `a,\`,
		"if true; then go test; fi": "true / go,test / fi",
	} {
		var got []string
		for _, c := range Split(line) {
			got = append(got, strings.Join(c.Words, ","))
		}
		if strings.Join(got, " / ") != want {
			t.Errorf("%q: %q, want %q", line, strings.Join(got, " / "), want)
		}
	}
}

func TestPiped(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{"a | b |& c": "a b", "a || b; c && d": "", "a 'x|y' | b || c|d": "a c", "a 2>&1 | b": "a", "|": "", "a|": "a"} {
		var got []string
		for _, c := range Split(line) {
			if c.Piped {
				got = append(got, c.Words[0])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
