package tui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newTail(t *testing.T) (*tail, func(string)) {
	path := filepath.Join(t.TempDir(), "agent.txt")
	return &tail{path: path, longest: longestLine}, func(text string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
}

func reads(t *testing.T, f *tail, want ...string) {
	t.Helper()
	lines, _, err := f.read()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, append([]string(nil), lines...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTailFollows(t *testing.T) {
	t.Parallel()
	f, write := newTail(t)
	reads(t, f)
	write("one\ntwo\n\nth")
	reads(t, f, "one", "two", "")
	if f.line() != "th" {
		t.Errorf("under way: %q", f.line())
	}
	reads(t, f)
	write("ree\r\nfo")
	reads(t, f, "three")
	write("u")
	reads(t, f)
	if f.line() != "fou" {
		t.Errorf("under way: %q", f.line())
	}
}

// TestTailOfProgress: what a carriage return overwrites is not kept, however
// long it goes on and wherever a read ends.
func TestTailOfProgress(t *testing.T) {
	t.Parallel()
	f, write := newTail(t)
	for i := range 3000 {
		write(fmt.Sprintf("\r%d %% of it", i))
		if i%7 == 0 {
			reads(t, f)
			if want := fmt.Sprintf("%d %% of it", i); f.line() != want {
				t.Fatalf("%q, want %q", f.line(), want)
			}
		}
	}
	write("\rall\r")
	reads(t, f)
	if f.line() != "all" {
		t.Errorf("%q", f.line())
	}
	write("\r\nnext\n")
	reads(t, f, "all", "next")
}

func TestTailOfALongLine(t *testing.T) {
	t.Parallel()
	f, write := newTail(t)
	write(strings.Repeat("x", longestLine) + "\n" + strings.Repeat("y", longestLine+1) + "\nz\n")
	reads(t, f, strings.Repeat("x", longestLine), strings.Repeat("y", longestLine)+" …", "z")
	for range 40 { // ten megabytes without an end
		write(strings.Repeat("w", window))
		if _, _, err := f.read(); err != nil || cap(f.carry) > 2*longestLine {
			t.Fatalf("%v, %d bytes are carried", err, cap(f.carry))
		}
	}
	write("\nend\n")
	reads(t, f, strings.Repeat("w", longestLine)+" …", "end")
}

// TestTailSkips: of a file that is large, or grows faster than it is read, the
// end is shown, and how much is not.
func TestTailSkips(t *testing.T) {
	t.Parallel()
	f, write := newTail(t)
	line := strings.Repeat("a", 99) + "\n"
	write(strings.Repeat(line, window/100*3))
	lines, _, err := f.read()
	if err != nil || len(lines) > window/100+2 || !strings.Contains(lines[0], "bytes are left out here") {
		t.Fatalf("%d lines, %v: %.80s", len(lines), err, lines[0])
	}
	write("b")
	write(strings.Repeat(line, window/100*2) + "last\n")
	lines, _, err = f.read()
	if err != nil || lines[len(lines)-1] != "last" || !strings.Contains(strings.Join(lines[:2], ""), "left out") {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

// TestTailAnew: an attempt that is made again writes its files anew.
func TestTailAnew(t *testing.T) {
	t.Parallel()
	f, write := newTail(t)
	write("old old old\n")
	reads(t, f, "old old old")
	if err := os.WriteFile(f.path, []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, anew, err := f.read()
	if err != nil || !anew || len(lines) != 1 || lines[0] != "new" {
		t.Errorf("%q, anew is %v, %v", lines, anew, err)
	}
}

// FuzzTail: however a file is cut into reads, its lines are the same.
func FuzzTail(f *testing.F) {
	f.Add([]byte("a\nb\r\nc\rd\n\n\xff\x1b["), byte(3))
	f.Add(bytes.Repeat([]byte("\r"), 10), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, step byte) {
		one := &tail{longest: longestLine}
		whole := one.split(data)
		many := &tail{longest: longestLine}
		var parts []string
		for n := 0; n < len(data); n += int(step) + 1 {
			parts = append(parts, many.split(data[n:min(n+int(step)+1, len(data))])...)
		}
		if diff := cmp.Diff(whole, parts); diff != "" || one.line() != many.line() {
			t.Errorf("%q and %q\n%s", one.line(), many.line(), diff)
		}
	})
}
