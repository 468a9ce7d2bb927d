package syntax

import (
	"slices"
	"testing"
)

func TestBrackets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, inside string
		closed       bool
		parts        []string
	}{
		{"", "", false, []string{""}},
		{")", "", true, []string{""}},
		{" )x", " ", true, []string{" "}},
		{"a, b)", "a, b", true, []string{"a", " b"}},
		{"a, b,)", "a, b,", true, []string{"a", " b", ""}},
		{"f(1, 2), [3, 4], {5, 6})", "f(1, 2), [3, 4], {5, 6}", true, []string{"f(1, 2)", " [3, 4]", " {5, 6}"}},
		{`")", ',')`, `")", ','`, true, []string{`")"`, ` ','`}},
		{`"\")", b)`, `"\")", b`, true, []string{`"\")"`, " b"}},
		{"`)\n,`, b)", "`)\n,`, b", true, []string{"`)\n,`", " b"}},
		{"&'a str, b)", "&'a str, b", true, []string{"&'a str", " b"}},
		{"it's), b", "it's", true, []string{"it's"}},
		{"it's,\n't)", "it's,\n't", true, []string{"it's", "\n't"}},
		{"(a, b", "", false, []string{""}},
		{`"a\`, "", false, []string{""}},
	} {
		inside, closed := InBrackets(c.text)
		if inside != c.inside || closed != c.closed {
			t.Errorf("before the bracket that closes %q stands %q, %v, want %q, %v", c.text, inside, closed, c.inside, c.closed)
		}
		if parts := Parts(inside, ','); !slices.Equal(parts, c.parts) {
			t.Errorf("the parts of %q are %q, want %q", inside, parts, c.parts)
		}
	}
}
