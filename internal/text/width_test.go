package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrapWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"":                     nil,
		"ab cd":                {"ab cd"},
		"ab  cd e":             {"ab cd", "e"},
		"a /long/path/of/it b": {"a", "/long/path/of/it", "b"},
		"漢字 漢":                 {"漢字", "漢"},
		"a\nb\x1b[31mc":        {"a bc"},
		"abcde f":              {"abcde", "f"},
	} {
		if d := cmp.Diff(want, WrapWords(in, 5)); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}
