package canary

import (
	"strings"
	"testing"
)

func TestLiteralsIn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[1, 2], 3) == 6":                 "[1, 2], 3",
		"{'a': [1, None], \"b\": -2.5}))": "{'a': [1, None], \"b\": -2.5}",
		"{ n: 1, of: true })":             "{ n: 1, of: true }",
		"[')', \"]\"])":                   "[')', \"]\"]",
		"1, 2)":                           "",
		"[a, 1])":                         "",
		"[f(1)])":                         "",
		"[1, 2":                           "",
		"['a":                             "",
		"":                                "",
		"[" + strings.Repeat("1, ", longestLiterals) + "])": "",
	} {
		if got := literalsIn(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestNearLiterals(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"[1, 'ab']":       "[2, 'ab'] [4, 'ab'] [1, 'ac']",
		"['']":            "",
		"[\"z\", 'a']":    "[\"y\", 'a'] [\"z\", 'b']",
		"[1, 2, 3, 4, 5]": "[1, 3, 3, 4, 5] [1, 5, 3, 4, 5] [1, 2, 4, 4, 5] [1, 2, 6, 4, 5] [1, 2, 3, 5, 5] [1, 2, 3, 7, 5] [1, 2, 3, 4, 6] [1, 2, 3, 4, 8]",
	} {
		var got []string
		for _, in := range nearLiterals(arguments) {
			got = append(got, in.arguments)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, want %s", arguments, got, want)
		}
	}
}

// FuzzLiteralsIn: whatever a test calls, its arguments end where they end, or it has none.
func FuzzLiteralsIn(f *testing.F) {
	f.Add("[1, 'a'])")
	f.Add("{a: [1]}, \"x\")")
	f.Fuzz(func(t *testing.T, text string) {
		if got := literalsIn(text); got != "" && (!strings.HasPrefix(text, got+")") && !strings.HasPrefix(text, got+"]") && !strings.HasPrefix(text, got+"}")) {
			t.Errorf("%q: got %q", text, got)
		}
		nearLiterals(text)
	})
}
