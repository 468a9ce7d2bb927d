package evidence

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func normalise(line string, roots ...string) string { return Facts{Roots: roots}.normalise(line) }

func lines(l ...string) string { return Fingerprint(Facts{Lines: l, End: "1"}) }

func TestSameFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"time, RFC 3339":     {"2026-11-20T17:36:27Z error: boom", "2027-01-02T03:04:05.678+01:00 error: boom"},
		"time, Go's log":     {"2026/11/20 17:36:27 error: boom", "2026/11/21 08:00:00 error: boom"},
		"time, date(1)":      {"Fri Nov 20 17:36:27 UTC 2026 error", "Sat Nov 21 07:06:05 CET 2026 error"},
		"time, HTTP":         {"error Fri, 20 Nov 2026 17:36:27 GMT", "error Sat, 21 Nov 2026 01:02:03 GMT"},
		"time, epoch":        {"error at 1789000000", "error at 1789000123"},
		"time, milliseconds": {"error at 1789000000123", "error at 1789000999456"},
		"clock":              {"[17:36:27] error", "[08:01:02.345] error"},
		"duration":           {"--- FAIL: TestX (0.01s)", "--- FAIL: TestX (12.30s)"},
		"duration, words":    {"error after 3 seconds", "error after 1.5 seconds"},
		"duration, ms":       {"✖ rejects (0.4ms)", "✖ rejects (12ms)"},
		"duration, mixed":    {"timed out after 1m30s", "timed out after 2h1m5s"},
		"address":            {"panic at 0xc000123456", "panic at 0xc000aaaaaa"},
		"commit":             {"error in 3f2a9b1c", "error in deadbee1"},
		"uuid":               {"no row 123e4567-e89b-12d3-a456-426614174000", "no row 00000000-e89b-12d3-a456-4266141740ff"},
		"pid":                {"error: pid 4711 died", "error: pid 17 died"},
		"process":            {"(node:1234) Error: x", "(node:99) Error: x"},
		"thread":             {"thread 'a::b' (7090) panicked", "thread 'a::b' (12) panicked"},
		"goroutine":          {"goroutine 19 [running]: error", "goroutine 7 [running]: error"},
		"syslog":             {"app[1234]: error", "app[99]: error"},
		"port":               {"dial tcp 127.0.0.1:34567: connection refused", "dial tcp 127.0.0.1:45678: connection refused"},
		"port, v6":           {"EADDRINUSE: address in use :::34567", "EADDRINUSE: address in use :::40000"},
		"port, word":         {"error: port 34567 in use", "error: port 45678 in use"},
		"temp":               {"cannot open /tmp/x1/a/b.txt", "cannot open /tmp/other/b.txt"},
		"temp, macOS":        {"cannot open /private/var/folders/ab/cd12/T/q", "cannot open /tmp/z"},
		"temp, Windows":      {`cannot open C:\Users\me\AppData\Local\Temp\q\a`, `cannot open D:\Users\you\AppData\Local\Temp\b`},
		"line, Go":           {"auth_test.go:42: want 401, got 200", "auth_test.go:57: want 401, got 200"},
		"line and column":    {"src/a.ts:3:14 - error TS2304", "src/a.ts:33:1 - error TS2304"},
		"line, tsc":          {"src/a.ts(3,14): error TS2304", "src/a.ts(8,2): error TS2304"},
		"line, Python":       {`File "a.py", line 3, in f: error`, `File "a.py", line 300, in f: error`},
		"colours":            {"\x1b[31merror\x1b[0m: boom", "error: boom"},
		"blanks":             {"error:   boom", "error: boom"},
		"seed":               {"error, seed 12345", "error, seed 999"},
		"seed like a time":   {"error, seed 1607462314", "error, seed 3607462314"},
		"temp like a time":   {"cannot open /tmp/job-3607462314/out", "cannot open /tmp/job-1607462314/out"},
		"temp with a time":   {"cannot open /tmp/at-17:36:27/x.1", "cannot open /tmp/at-08:01:02/x.2"},
	} {
		if a, b := lines(c[0]), lines(c[1]); a != b {
			t.Errorf("%s: %q and %q differ:\n%q\n%q", name, c[0], c[1], normalise(c[0]), normalise(c[1]))
		}
	}
}

func TestDifferentFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"message":           {"error: boom", "error: bang"},
		"received value":    {"want 401, got 200", "want 401, got 500"},
		"expected value":    {"want 401, got 200", "want 403, got 200"},
		"big number":        {"got 1000000", "got 2000000"},
		"duration compared": {"want 5s, got 10s", "want 5s, got 15s"},
		"hash compared":     {"expected abc1234", "expected abc1235"},
		"identifier":        {"undefined: Foo", "undefined: Bar"},
		"words of hex":      {"error: facade", "error: decade"},
		"file":              {"a.go:3: error", "b.go:3: error"},
		"exit code":         {"error: exit status 2", "error: exit status 3"},
		"index":             {"error: item[3] is wrong", "error: item[4] is wrong"},
		"low port":          {"error: port 80 refused", "error: port 443 refused"},
		"version":           {"error: needs v1.2", "error: needs v1.3"},
		"percentage":        {"coverage 71.2% error", "coverage 71.3% error"},
	} {
		if a, b := lines(c[0]), lines(c[1]); a == b {
			t.Errorf("%s: %q and %q are taken for one: %q", name, c[0], c[1], normalise(c[0]))
		}
	}
}

func TestFingerprintOfTests(t *testing.T) {
	t.Parallel()
	a, b := Failure{ID: "TestA", Line: "x_test.go:3: want 1, got 2"}, Failure{ID: "TestB", Line: "boom"}
	of := func(f ...Failure) string { return Fingerprint(Facts{Failures: f, End: "1", Lines: []string{"noise"}}) }
	base := of(a, b)
	if !regexp.MustCompile(`^[0-9a-f]{8}$`).MatchString(base) {
		t.Errorf("not 8 hex digits: %q", base)
	}
	if of(b, a) != base || of(b, a, a) != base {
		t.Error("order or repetition matters")
	}
	if of(Failure{ID: "TestA", Line: "x_test.go:99: want 1, got 2"}, b) != base {
		t.Error("a line number matters")
	}
	if other := []Failure{{ID: "TestA", Line: "x_test.go:3: want 1, got 3"}, b}; of(other...) != base || Detail(Facts{Failures: other}) == Detail(Facts{Failures: []Failure{a, b}}) {
		t.Error("the line of a test is part of its name, or of nothing")
	}
	for _, other := range []string{of(a), of(a, Failure{ID: "TestC", Line: "boom"})} {
		if other == base {
			t.Error("different failures are taken for one")
		}
	}
	if of(Failure{"pkg", "undefined: A", true}) == of(Failure{"pkg", "undefined: B", true}) {
		t.Error("two build failures are taken for one")
	}
}

func TestFingerprintWithoutOutput(t *testing.T) {
	t.Parallel()
	of := func(gate, end string, l ...string) string { return Fingerprint(Facts{Gate: gate, End: end, Lines: l}) }
	base := of("lint", "1")
	if of("lint", "1", "", "  ") != base {
		t.Error("blank output is output")
	}
	if of("test", "1") == base || of("lint", "2") == base || of("lint", "signal: killed") == base {
		t.Error("gate and exit code do not matter")
	}
}

func TestFingerprintTakesTheLastFortyLines(t *testing.T) {
	t.Parallel()
	var long []string
	for i := range 60 {
		long = append(long, fmt.Sprintf("error %d", i))
	}
	if lines(long...) != lines(long[20:]...) || lines(long...) == lines(long[21:]...) {
		t.Error("not the last 40 lines")
	}
}

func TestRootsAreOneRoot(t *testing.T) {
	t.Parallel()
	of := func(root string) string {
		return Fingerprint(Facts{Roots: []string{root}, Lines: []string{"cannot find " + root + "/src/a.js"}})
	}
	if of("/home/me/wt/ralph-x-1") != of("/tmp/wt/2") {
		t.Error("the root matters")
	}
}

// TestOwnFolderOfTemporaryFiles: where a command has its temporary files does not matter, nor does
// what it makes there.
func TestOwnFolderOfTemporaryFiles(t *testing.T) {
	t.Parallel()
	of := func(tree, temp, file string) string {
		return Fingerprint(Facts{Roots: []string{tree}, Temp: []string{temp}, Lines: []string{"error: cannot read " + file + " in " + tree + "/a.py"}})
	}
	want := of("/w/1", "/scratch/ralph-run-1-1607462314", "/scratch/ralph-run-1-1607462314/tmp.9zd/a")
	for _, got := range []string{
		of("/w/1", "/scratch/ralph-run-29132-3607462314", "/scratch/ralph-run-29132-3607462314/tmp.Xk2"),
		of("/w/1", "/tmp", "/tmp/job-1607462314/out"),
		of("/w/1", "", "/tmp/job-3607462314/out"),
		of("/w/1", "/w/1/.tmp", "/w/1/.tmp/job-1607462314/out"),
		of("/tmp/w", "/tmp", "/tmp/job-1607462314/out"),
	} {
		if got != want {
			t.Error("the folder matters")
		}
	}
	if of("/w/1", "/scratch/run", "/scratch/other") == want {
		t.Error("another folder is taken for it")
	}
}

// A failure that carries every kind of noise keeps its fingerprint when the
// noise changes, and loses it when the message or a value does.
func TestNoiseNeverMatters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want, got := rapid.IntRange(0, 9999).Draw(t, "want"), rapid.IntRange(0, 9999).Draw(t, "got")
		say := rapid.StringMatching(`[g-z]{3,8}( [g-z]{3,8}){0,3}`).Draw(t, "message")
		a, b := noisy(t, "a", say, want, got), noisy(t, "b", say, want, got)
		if Fingerprint(a) != Fingerprint(b) {
			t.Fatalf("noise matters:\n%q\n%q", a.Lines, b.Lines)
		}
		if c := noisy(t, "c", say, want, got+1); Fingerprint(a) == Fingerprint(c) {
			t.Fatalf("the value does not matter:\n%q\n%q", a.Lines, c.Lines)
		}
		if c := noisy(t, "d", say+" zzz", want, got); Fingerprint(a) == Fingerprint(c) {
			t.Fatalf("the message does not matter:\n%q\n%q", a.Lines, c.Lines)
		}
	})
}

func noisy(t *rapid.T, label, say string, want, got int) Facts {
	n := func(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, label) }
	root := fmt.Sprintf("/srv/wt-%d/tree", n(1, 99999))
	return Facts{End: "1", Roots: []string{root}, Lines: []string{
		fmt.Sprintf("2026-%02d-%02dT%02d:%02d:%02dZ error: %s", n(1, 12), n(1, 28), n(0, 23), n(0, 59), n(0, 59), say),
		fmt.Sprintf("%s/src/a.py:%d: expected %d, received %d (%d.%02ds)", root, n(1, 9999), want, got, n(0, 99), n(0, 99)),
		fmt.Sprintf("pid %d: cannot bind 127.0.0.1:%d: /tmp/t%d/sock 0x%010x", n(1, 99999), n(1024, 65535), n(0, 1<<30), n(1<<24, 1<<30)),
	}}
}

func FuzzNormalise(f *testing.F) {
	f.Add("2026/11/20 17:36:27 a.go:3:4 pid 3 0xdeadbeef want 5s", "/tmp/x")
	f.Fuzz(func(t *testing.T, line, root string) {
		once := normalise(line, root)
		if len(Fingerprint(Facts{Lines: []string{once}})) != 8 {
			t.Error("no fingerprint")
		}
		if slices.ContainsFunc([]rune(once), func(r rune) bool { return r < ' ' }) {
			t.Errorf("control characters in %q", once)
		}
	})
}
