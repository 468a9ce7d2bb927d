package agent

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// through writes text in pieces of that size and returns the lines.
func through(text string, piece int) (lines []string) {
	l := NewLines(func(p []byte) { lines = append(lines, string(p)) })
	for rest := []byte(text); len(rest) > 0; {
		n := min(max(piece, 1), len(rest))
		_, _ = l.Write(rest[:n])
		rest = rest[n:]
	}
	l.Flush()
	return lines
}

func TestLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":         {"", nil},
		"empty lines":     {"\n\r\n\n", nil},
		"one":             {"a\n", []string{"a"}},
		"without an end":  {"a\nb", []string{"a", "b"}},
		"carriage return": {"a\r\nb\r", []string{"a", "b"}},
		"white space":     {" \t a b \t\r\n   \n  {\"a\": 1} \n", []string{"a b", `{"a": 1}`}},
		"a mark of UTF-8": {"\xef\xbb\xbf{}\n\xef\xbb\xbf\n", []string{"{}"}},
		"not UTF-8":       {"\xff\xfe\n", []string{"\xff\xfe"}},
		"JSON":            {`{"a":"b\"c\\","d":{}}` + "\n{", []string{`{"a":"b\"c\\","d":{}}`, "{"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, piece := range []int{1, 2, 3, 1000} {
				if d := cmp.Diff(tt.want, through(tt.in, piece)); d != "" {
					t.Errorf("in pieces of %d (-want +got):\n%s", piece, d)
				}
			}
		})
	}
}

// A long text inside of JSON is cut, and the rest is still there.
func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	for _, filler := range []string{"x", "é", `\n`, `\"`, `\\`, `\u00e9`, `ab\ud83d\ude00`} {
		for _, extra := range []int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, maxText} {
			long := strings.Repeat(filler, (maxText+extra)/len(filler)) + strings.Repeat("y", (maxText+extra)%len(filler))
			lines := through(`{"before":"1","long":"`+long+`","after":{"type":"result"}}`+"\n", 4096)
			if len(lines) != 1 {
				t.Fatalf("%d lines", len(lines))
			}
			var got struct {
				Before, Long string
				After        struct{ Type string }
			}
			if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
				t.Fatalf("%q +%d: %v", filler, extra, err)
			}
			if got.Before != "1" || got.After.Type != "result" || len(lines[0]) > maxText+100 {
				t.Errorf("%q +%d: %d bytes, %+v", filler, extra, len(lines[0]), got.After)
			}
		}
	}
}

// 100 MB in one line need no more memory than the bounds.
func TestMemoryIsBounded(t *testing.T) {
	for name, begin := range map[string]string{"text": `{"type":"x","a":"`, "many": `{"type":"x","a":["`, "plain": "x"} {
		block := []byte(strings.Repeat("long text. ", 6000))
		if name == "many" {
			block = []byte(strings.Repeat(`short","`, 8000))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		lines, size := 0, 0
		l := NewLines(func(p []byte) { lines++; size = len(p) })
		_, _ = l.Write([]byte(begin))
		for written := 0; written < 100<<20; written += len(block) {
			_, _ = l.Write(block)
		}
		_, _ = l.Write([]byte("\"}\n"))
		runtime.ReadMemStats(&after)
		if lines != 1 || size > maxLine {
			t.Errorf("%s: %d lines, %d bytes", name, lines, size)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 8*maxLine {
			t.Errorf("%s: %d bytes were allocated", name, used)
		}
	}
}

// What comes out does not depend on the pieces it came in, stays within its
// bounds, and of JSON it is JSON.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"a":"b\"","c":["\u00e9",1]}`+"\nplain\n{"), 3)
	f.Add([]byte("{\"\\\n\\\"\r\n\xff"), 1)
	f.Fuzz(func(t *testing.T, text []byte, piece int) {
		whole := through(string(text), len(text))
		if d := cmp.Diff(whole, through(string(text), piece%64)); d != "" {
			t.Errorf("pieces matter:\n%s", d)
		}
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			if json.Valid(line) && len(line) > 0 && line[0] == '{' {
				got := through(string(line), 7)
				if len(got) != 1 || !json.Valid([]byte(got[0])) {
					t.Errorf("%q became %q", line, got)
				}
			}
		}
	})
}
