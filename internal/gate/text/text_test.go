package text

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func split(chunks ...string) (lines []string, dropped int64) {
	l := Lines{Each: func(b []byte, d int64) { lines = append(lines, string(b)); dropped += d }}
	for _, c := range chunks {
		_, _ = l.Write([]byte(c))
	}
	l.Flush()
	return lines, dropped
}

func TestLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   []string
		want []string
	}{
		"nothing":            {nil, nil},
		"empty line":         {[]string{"\n"}, []string{""}},
		"no line end":        {[]string{"a"}, []string{"a"}},
		"across writes":      {[]string{"a", "b\nc", "\n", "d"}, []string{"ab", "c", "d"}},
		"blank lines stay":   {[]string{"a\n\n\nb\n"}, []string{"a", "", "", "b"}},
		"nul is a character": {[]string{"a\x00b\n"}, []string{"a\x00b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := split(c.in...)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestLinesCutAtTheirLimit(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int64{maxLine - 1: 0, maxLine: 0, maxLine + 1: 1, 3 * maxLine: 2 * maxLine} {
		long := strings.Repeat("x", n)
		for _, chunks := range [][]string{{long + "\nend"}, {long, "\nend"}} {
			got, dropped := split(chunks...)
			if len(got) != 2 || len(got[0]) > maxLine || dropped != want || got[1] != "end" {
				t.Errorf("%d bytes: %d lines, %d dropped, want %d", n, len(got), dropped, want)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                    "",
		"  kept\tindent  ":                    "  kept\tindent",
		"\x1b[31;1mred\x1b[0m":                "red",
		"\x1b]8;;http://x\x07l\x1b]8;;\x1b\\": "l",
		"\x1b]0;never ends":                   "",
		"\x1b[":                               "",
		"\x1b":                                "",
		"10%\r50%\r100%\r":                    "100%",
		"dos\r":                               "dos",
		"bad \xff byte":                       "bad \uFFFD byte",
		"bell\a nul\x00 \u0085":               "bell nul",
		"\x1b(Bplain":                         "plain",
	} {
		if got := Plain([]byte(in)); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestErrorLike(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"AssertionError: 200 != 401", "E   assert 1 == 2", "main.go:3:4: undefined: Foo", "src/a.ts(3,4): error TS2304: x",
		"panic: boom", "    cart_test.go:13: Sum() = 3, want 4", "error[E0425]: cannot find function", "✖ rejects", "lib/x.py:1:1 F401 unused",
	} {
		if !ErrorLike(s) {
			t.Errorf("%q is not taken for an error", s)
		}
	}
	for _, s := range []string{"", "  ", "ok  \tpkg\t0.1s", "0 errors", "=== RUN   TestError", "✔ rejects errors", "Traceback (most recent call last):", "compiling shop", `  File "error.py", line 3`} {
		if ErrorLike(s) {
			t.Errorf("%q is taken for an error", s)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add([]byte("\x1b[31mx\r\xffy\x1b]0;t\x07"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got := Plain(in)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\r\x00") {
			t.Errorf("Plain(%q) = %q", in, got)
		}
		if again := Plain([]byte(got)); again != got {
			t.Errorf("not stable: %q, %q", got, again)
		}
		var joined bytes.Buffer
		l := Lines{Each: func(b []byte, _ int64) { joined.Write(b) }}
		_, _ = l.Write(in)
		l.Flush()
		if len(in) < maxLine && joined.String() != strings.ReplaceAll(string(in), "\n", "") {
			t.Errorf("lines lost bytes of %q", in)
		}
	})
}

func BenchmarkErrorLike(b *testing.B) {
	line := "2026/11/20 17:36:27 request served path=/a/b status=200 in 12ms"
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		ErrorLike(line)
	}
}
