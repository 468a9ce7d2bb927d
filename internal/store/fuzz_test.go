//go:build unix

package store

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

func FuzzLastPos(f *testing.F) {
	for _, s := range []string{"", "\n", "{}\n", `{"pos":3}` + "\n", `{"pos":3}` + "\n{\"po", "\n\n", `{"pos":-1}` + "\n", "null\n", "[1]\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, tail []byte) {
		whole, pos := lastPos(tail)
		if whole < 0 || whole > len(tail) || pos < 0 {
			t.Fatalf("lastPos(%q) = %d, %d", tail, whole, pos)
		}
		if whole > 0 && tail[whole-1] != '\n' || bytes.IndexByte(tail[whole:], '\n') >= 0 {
			t.Fatalf("lastPos(%q): the whole lines do not end at %d", tail, whole)
		}
	})
}

func FuzzYAMLText(f *testing.F) {
	for _, s := range []string{"", "a", "null", "1e5", "\x00", "---", "a: b", "\u2028", "🦊", "\U0010ffff", "\ufffe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip()
		}
		text := yamlText(s)
		if strings.ContainsAny(text, "\n\r") {
			t.Fatalf("%q takes more than one line", s)
		}
		var got struct{ Key string }
		if err := yaml.Unmarshal([]byte("key: "+text+"\n"), &got); err != nil || got.Key != s {
			t.Fatalf("%q as %s came back as %q, %v", s, text, got.Key, err)
		}
	})
}

func FuzzFence(f *testing.F) {
	f.Add("a ``` b ```` c")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, fenceFor(text)) {
			t.Fatalf("the fence of %q is in it", text)
		}
	})
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\nb\xff", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		n = n&0xff + 1
		got := oneLine(text, n)
		if utf8.RuneCountInString(got) > n || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t") {
			t.Fatalf("oneLine(%q, %d) = %q", text, n, got)
		}
	})
}
