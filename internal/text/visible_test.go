package text

import "testing"

func TestVisible(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"plain":           {"+a\tb\n c\n", "+a\tb\n c\n"},
		"CRLF":            {"+a\r\n+b\r\n", "+a\n+b\n"},
		"carriage return": {"+# a\r+b\n", "+# a␍+b\n"},
		"two before LF":   {"+a\r\r\n", "+a␍\n"},
		"at the end":      {"+a\r", "+a␍"},
		"separators":      {"+// a\u2028b\u2029c\u0085d\vf\f", "+// a\\u2028b\\u2029c\\u0085d␋f␌"},
		"sequence":        {"+a\x1b[2Kb\x7f", "+a␛[2Kb␡"},
		"direction":       {"+a\u202eb\u2066\u200b\U000E0041", "+a\\u202eb\\u2066\\u200b\\U000e0041"},
		"joiner":          {"+👩\u200D🔬", "+👩\u200D🔬"},
		"invalid":         {"+a\xffb", "+a\uFFFDb"},
	} {
		got := Visible(c.in)
		if got != c.want {
			t.Errorf("%s: Visible(%q) = %q, want %q", name, c.in, got, c.want)
		}
		if again := Clean(got); again != got {
			t.Errorf("%s: Clean changes it to %q", name, again)
		}
	}
}

// Names of files that differ are shown as different ones, on one line.
func TestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a\x1b[2Kb.py": "a␛[2Kb.py", "c\u202eyp.py": `c\u202eyp.py`, "a\nb\tc": "a␊b␉c", "a\r\nb": "a␍␊b", "ä b": "ä b", "": "", "zero\u200bwidth": `zero\u200bwidth`,
	} {
		if got := Name(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}
