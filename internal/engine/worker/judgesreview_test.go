package worker

import "testing"

// What a reviewer would see otherwise than a compiler does is not shown.
func TestPlain(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"": true, "a\tb\n": true, "größe 🙂\n": true, "a\r\nb\r\n": true,
		"a\rb": false, "# sum\u2028assert x\n": false, "a\u2029b": false, "a\u0085b": false, "5\u200b": false, "\u202eabc": false,
		"\ufeffx": false, "a\fb": false, "\x1b[31mx": false, "\xff": false, "a\x00b": false,
	} {
		if plain(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}
