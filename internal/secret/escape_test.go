package secret

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestMaskSeesThroughEscapes: agents report in JSON, whose escapes do not hide a secret.
// What is left is JSON.
func TestMaskSeesThroughEscapes(t *testing.T) {
	t.Parallel()
	value := `p@ss"w0rd\Ünï<😀>/Xy9`
	m := New(value)
	var ascii strings.Builder
	plain, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range string(plain) {
		switch {
		case r > 0xffff:
			ascii.WriteString(`\ud83d\ude00`)
		case r >= utf8.RuneSelf:
			ascii.WriteString(`\u00` + map[rune]string{'Ü': "dc", 'ï': "EF"}[r])
		default:
			ascii.WriteRune(r)
		}
	}
	for _, written := range []string{string(plain), ascii.String(), strings.ReplaceAll(string(plain), "/", `\/`), `"` + github[:8] + `\u001b[0m` + github[8:] + `"`, `"` + github[:8] + `\u200b` + github[8:] + `"`} {
		text := `{"a": ` + written + `, "b": "\"x\" ` + written[1:] + "}\n"
		if d := cmp.Diff(`{"a": "(key)", "b": "\"x\" (key)"}`+"\n", m.Mask(text)); d != "" {
			t.Error(d)
		}
	}
	for _, text := range []string{`C:\users\new\table`, `\`, `\u12`, `\u00zz`, `"\ud800\u0041"`, `a\\"b`} {
		if got := m.Mask(text); got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// FuzzViews: what shows in a view of a line is part of the line, in its order.
func FuzzViews(f *testing.F) {
	f.Add(`a\u001b[31m\"b` + "\x1b[0m\u200bc")
	f.Add("\\\x00\"")
	f.Fuzz(func(t *testing.T, text string) {
		line, _, _ := strings.Cut(text, "\n")
		for _, of := range []func(string) (view, bool){seen, unescaped} {
			v, _ := of(line)
			last := 0
			for i := range len(v.text) {
				start, end := v.start(i), v.end(i+1)
				if start < 0 || start >= len(line) || end > len(line) || start < last-1 {
					t.Fatalf("%q: byte %d of %q is at %d to %d", line, i, v.text, start, end)
				}
				last = start
			}
		}
		var out bytes.Buffer
		w := New("a secret of mine").Writer(&out)
		_, _ = w.Write([]byte(text))
		if err := w.Close(); err != nil || !utf8.ValidString(out.String()) && utf8.ValidString(text) {
			t.Fatalf("%q: %v, %q", text, err, out.String())
		}
	})
}
