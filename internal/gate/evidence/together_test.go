package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// kind is a kind of details that change by themselves.
type kind struct {
	name string
	draw func(n func(lo, hi int) int) string
}

// noise are the kinds, each drawn anew.
var noise = []kind{
	{"time", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("20%02d-%02d-%02dT%02d:%02d:%02dZ", n(20, 30), n(1, 12), n(1, 28), n(0, 23), n(0, 59), n(0, 59))
	}},
	{"clock", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("%02d:%02d:%02d.%03d", n(0, 23), n(0, 59), n(0, 59), n(0, 999))
	}},
	{"duration", func(n func(lo, hi int) int) string { return fmt.Sprintf("%d.%02ds", n(0, 900), n(0, 99)) }},
	{"words of a duration", func(n func(lo, hi int) int) string { return fmt.Sprintf("after %d.%d seconds", n(0, 60), n(0, 9)) }},
	{"address", func(n func(lo, hi int) int) string { return fmt.Sprintf("0xc000%06x", n(0, 1<<24-1)) }},
	{"uuid", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", n(0, 1<<31), n(0, 1<<16-1), n(0, 1<<12-1), n(0, 1<<12-1), n(0, 1<<31))
	}},
	{"pid", func(n func(lo, hi int) int) string { return fmt.Sprintf("pid %d", n(1, 4_000_000)) }},
	{"pid in an assignment", func(n func(lo, hi int) int) string { return fmt.Sprintf("pid=%d", n(1, 4_000_000)) }},
	{"goroutine", func(n func(lo, hi int) int) string { return fmt.Sprintf("goroutine %d", n(1, 9999)) }},
	{"port", func(n func(lo, hi int) int) string { return fmt.Sprintf("127.0.0.1:%d", n(1024, 65535)) }},
	{"port of localhost", func(n func(lo, hi int) int) string { return fmt.Sprintf("localhost:%d", n(1024, 65535)) }},
	{"port, IPv6", func(n func(lo, hi int) int) string { return fmt.Sprintf("[::1]:%d", n(1024, 65535)) }},
	{"port, word", func(n func(lo, hi int) int) string { return fmt.Sprintf("port %d", n(1024, 65535)) }},
	{"temporary path", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("/tmp/TestX%d/%03d/a.db", n(0, 1<<31), n(1, 999))
	}},
	{"temporary path of ralph", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("/tmp/ralph-run-%d-%d/tmp.x%07d", n(1, 99999), n(1_000_000_000, 1<<32), n(0, 9_999_999))
	}},
	{"line", func(n func(lo, hi int) int) string { return fmt.Sprintf("store_test.go:%d:", n(1, 9999)) }},
	{"line, Python", func(n func(lo, hi int) int) string { return fmt.Sprintf(`File "a.py", line %d,`, n(1, 9999)) }},
	{"time, Go's log", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("20%02d/%02d/%02d %02d:%02d:%02d", n(20, 30), n(1, 12), n(1, 28), n(0, 23), n(0, 59), n(0, 59))
	}},
	{"time, epoch", func(n func(lo, hi int) int) string { return fmt.Sprint(n(1_650_000_000, 1_990_000_000)) }},
	{"time, nanoseconds", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("2026-11-30T%02d:%02d:%02d,%09d%s", n(0, 23), n(0, 59), n(0, 59), n(0, 999_999_999), []string{"Z", "+00:00", "-0500"}[n(0, 2)])
	}},
	{"time, syslog", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("Nov %2d %02d:%02d:%02d", n(1, 30), n(0, 23), n(0, 59), n(0, 59))
	}},
	{"duration, ms", func(n func(lo, hi int) int) string { return fmt.Sprintf("took %dms", n(0, 900)) }},
	{"duration in an assignment", func(n func(lo, hi int) int) string { return fmt.Sprintf("elapsed=%dms", n(0, 900)) }},
	{"duration, mixed", func(n func(lo, hi int) int) string { return fmt.Sprintf("in %dm%d.%ds", n(1, 9), n(0, 59), n(0, 9)) }},
	{"commit", func(n func(lo, hi int) int) string { return fmt.Sprintf("a%07x9", n(0, 1<<28-1)) }},
	{"seed", func(n func(lo, hi int) int) string { return fmt.Sprintf("seed %d", n(0, 1<<32)) }},
	{"pid with a colon", func(n func(lo, hi int) int) string { return fmt.Sprintf("PID: %d", n(1, 4_000_000)) }},
	{"pid in brackets", func(n func(lo, hi int) int) string { return fmt.Sprintf("pid [%d]", n(1, 4_000_000)) }},
	{"pid in parentheses", func(n func(lo, hi int) int) string { return fmt.Sprintf("pid(%d)", n(1, 4_000_000)) }},
	{"process", func(n func(lo, hi int) int) string { return fmt.Sprintf("process %d", n(1, 99999)) }},
	{"program", func(n func(lo, hi int) int) string { return fmt.Sprintf("nginx[%d]: down", n(10, 99999)) }},
	{"node", func(n func(lo, hi int) int) string { return fmt.Sprintf("(node:%d)", n(10, 99999)) }},
	{"port in an assignment", func(n func(lo, hi int) int) string { return fmt.Sprintf("port=%d", n(1024, 65535)) }},
	{"address, Python", func(n func(lo, hi int) int) string { return fmt.Sprintf("<a.B object at 0x7f%010x>", n(0, 1<<40-1)) }},
	{"temporary path, macOS", func(n func(lo, hi int) int) string {
		return fmt.Sprintf("/var/folders/ab/c%d/T/x%d", n(0, 99), n(0, 1<<31))
	}},
	{"line, word", func(n func(lo, hi int) int) string { return fmt.Sprintf("on line %d", n(1, 9999)) }},
	{"line, URL", func(n func(lo, hi int) int) string { return fmt.Sprintf("at f (src/a.js:%d:%d)", n(1, 9999), n(1, 80)) }},
	{"line and column", func(n func(lo, hi int) int) string { return fmt.Sprintf("src/a.ts(%d,%d)", n(1, 999), n(1, 99)) }},
}

// TestNoiseTogether: kinds of changing numbers in one line, in any order and
// however they are separated, change a fingerprint as little as each alone.
func TestNoiseTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.Permutation(noise).Draw(t, "order")[:rapid.IntRange(1, 9).Draw(t, "kinds")]
		seps := rapid.SliceOfN(rapid.SampledFrom([]string{" ", ", ", " (", ") ", "; ", " - ", "\t", " | ", ": ", " [", "] ", "=", `" "`}), len(kinds), len(kinds)).Draw(t, "separators")
		line := func(label string) string {
			var b strings.Builder
			b.WriteString("error")
			for i, k := range kinds {
				b.WriteString(seps[i] + k.draw(func(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, label) }))
			}
			return b.String() + " refused"
		}
		same(t, line("a"), line("b"))
	})
}

func same(t *rapid.T, a, b string) {
	t.Helper()
	if normalise(a) != normalise(b) {
		t.Fatalf("noise matters:\n%q\n%q\n%q\n%q", a, b, normalise(a), normalise(b))
	}
}

// TestNoiseInPaths: the same holds within a path; nothing of one for temporary files matters.
func TestNoiseInPaths(t *testing.T) {
	t.Parallel()
	fit := slices.DeleteFunc(slices.Clone(noise), func(k kind) bool {
		in := k.draw(func(lo, _ int) int { return lo })
		return strings.ContainsAny(in, " =()[]<>/") || strings.Contains(in, ":") && k.name != "time" && k.name != "clock" && k.name != "time, nanoseconds"
	})
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.Permutation(fit).Draw(t, "order")[:rapid.IntRange(1, 5).Draw(t, "kinds")]
		of := rapid.SampledFrom([]string{"/srv/run", "/tmp/run", "/private/tmp/run", "/var/folders/ab/c1/T/run"}).Draw(t, "folder")
		seps := rapid.SliceOfN(rapid.SampledFrom([]string{"/", "/x/", "-at-", "/x."}), len(kinds), len(kinds)).Draw(t, "separators")
		line := func(label string) string {
			var b strings.Builder
			b.WriteString("error: cannot open " + of)
			for i, k := range kinds {
				b.WriteString(seps[i] + k.draw(func(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, label) }))
			}
			if of != "/srv/run" {
				fmt.Fprintf(&b, "/job_%d", rapid.IntRange(0, 1<<32).Draw(t, label))
			}
			return b.String() + "/log refused"
		}
		same(t, line("a"), line("b"))
	})
}
