package loop

import "testing"

func TestListedNamesAreOneLine(t *testing.T) {
	t.Parallel()
	c := Clash{Branch: "main", Files: []string{"a\nb", "c\r\x1b\u2028d"}}
	if got, want := c.String(), "conflicts with main in a\uFFFDb, c\uFFFD\uFFFD\uFFFDd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
