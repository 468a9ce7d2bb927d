package learn

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// fixed is the usual story: red on the base, another failure, green.
func fixed() loop.State {
	return begun("ralph-reject-1a2b3c4d").
		base(failed("aaaa0001", wrongStatus, "TestReject"), covered(79)).
		attempt(auth[:1], failed("bbbb0002", noClock), covered(79)).
		attempt(auth, passed("tests"), covered(81)).
		ends(loop.StatusPassed, loop.Green)
}

// stuck failed alike, shifted, failed alike, and stopped.
func stuck() loop.State {
	s := begun("ralph-stuck-00000001")
	for range 3 {
		s.attempt(auth[:1], failed("aaaa0001", wrongStatus, "TestReject"), covered(85))
	}
	s.attempt([]string{"internal/auth/clock.go"}, failed("aaaa0001", wrongStatus, "TestReject"), covered(85)).shifted()
	s.attempt([]string{"internal/auth/clock.go"}, failed("aaaa0001", wrongStatus, "TestReject"), covered(85))
	return s.ends(loop.StatusFailed, loop.Stuck)
}

// fallen lost coverage with each attempt.
func fallen() loop.State {
	return begun("ralph-fallen-00000002").base(passed("tests"), covered(79)).
		attempt(auth[:1], passed("tests"), covered(70)).
		attempt(auth[1:], passed("tests"), covered(60.5)).
		ends(loop.Aborted, loop.Regression)
}

func TestExtractGolden(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]loop.State{"fixed": fixed(), "stuck": stuck(), "fallen": fallen()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, asJSON(t, Remember(remembered(s), left)))
		})
	}
}

func summaries(all []Pattern) []string {
	var out []string
	for _, p := range all {
		out = append(out, string(p.Kind)+" "+p.Fingerprint)
	}
	return out
}

// TestWhatIsNoFix: a failure that is only out of sight teaches nothing.
func TestWhatIsNoFix(t *testing.T) {
	t.Parallel()
	red, build := failed("aaaa0001", wrongStatus, "TestReject"), failed("bbbb0002", noClock)
	mute := failed("cccc0003", "")
	more, fewer := failed("dddd0004", wrongStatus, "a", "b", "c"), failed("eeee0005", wrongStatus, "a")
	for name, c := range map[string]struct {
		state loop.State
		want  []string
	}{
		"covered by a worse one": {begun("x").base(red).attempt(auth, build).ends(loop.StatusFailed, loop.MaxAttempts), nil},
		"it came back":           {begun("x").base(red).attempt(auth, passed("tests"), covered(1)).attempt(auth, red).ends(loop.StatusFailed, loop.MaxAttempts), nil},
		"nothing was changed":    {begun("x").base(red).attempt(nil, passed("tests")).ends(loop.StatusPassed, loop.Green), nil},
		"it said nothing":        {begun("x").base(mute).attempt(auth, passed("tests")).ends(loop.StatusPassed, loop.Green), []string{"success "}},
		"fewer failing tests":    {begun("x").base(more).attempt(auth, fewer).ends(loop.StatusFailed, loop.MaxAttempts), []string{"error_fix dddd0004"}},
		"it could be built":      {begun("x").base(build).attempt(auth, red).ends(loop.StatusFailed, loop.MaxAttempts), []string{"error_fix bbbb0002"}},
		"who knows what did it":  {begun("x").base(red).attempt(auth, build).attempt(auth, build).attempt(auth, build).attempt(auth, passed("tests")).ends(loop.StatusPassed, loop.Green), []string{"error_fix bbbb0002", "success "}},
		"in the end it passed":   {begun("x").attempt(auth, build).attempt(auth, red).attempt(auth, passed("tests")).ends(loop.StatusPassed, loop.Green), []string{"error_fix bbbb0002", "error_fix aaaa0001", "success "}},
		"already green":          {begun("x").base(passed("tests")).ends(loop.StatusPassed, loop.AlreadyGreen), nil},
		"not ended":              {begun("x").base(red).attempt(auth, passed("tests")).State, nil},
		"cut off":                {cutOff(), nil},
	} {
		if got := summaries(extracted(c.state, left)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// cutOff was aborted while its gates ran.
func cutOff() loop.State {
	s := begun("x").base(failed("aaaa0001", wrongStatus, "TestReject")).attempt(auth, passed("tests"))
	s.Last().Verdict = ""
	return s.ends(loop.Aborted, loop.Manual)
}

// TestOldOutputIsInTheFiles: the state drops the words of older attempts.
func TestOldOutputIsInTheFiles(t *testing.T) {
	t.Parallel()
	s := fixed()
	s.Recent[0].Results[0].Excerpt = ""
	asked := ""
	files := Files{Patch: patches, Output: func(n int, gate string) string {
		asked += gate
		if n == 1 && gate == "tests" {
			return noClock
		}
		return ""
	}}
	for _, p := range extracted(s, files) {
		if p.Fingerprint == "bbbb0002" && !slices.Contains(p.Error, "internal/auth/token.go:7:2: undefined: Clock") {
			t.Errorf("%+v", p)
		}
	}
	if asked != "tests" {
		t.Errorf("read more than was needed: %s", asked)
	}
	if got := len(extracted(s, Files{})); got != 3 {
		t.Errorf("%d patterns without any file", got)
	}
}

func TestALongLoopDoesNotCrowdOutOthers(t *testing.T) {
	t.Parallel()
	s := begun("x")
	for i := range 200 {
		s.attempt(auth, failed(fmt.Sprintf("%08x", i), wrongStatus, "a")).attempt(auth, passed("tests"))
	}
	state := s.ends(loop.StatusPassed, loop.Green)
	if got := len(extracted(state, left)); got != mostPatterns {
		t.Errorf("%d patterns", got)
	}
	if got := len(Remember(remembered(state), left).Failures); got != mostFailures {
		t.Errorf("%d failures", got)
	}
}

// TestJudgeFilesAreNotTaught: a file that the gates were found to judge by is left out like
// one that its name tells.
func TestJudgeFilesAreNotTaught(t *testing.T) {
	t.Parallel()
	permitted := passed("tests")
	permitted.Permitted = []string{"checks/expected.txt"}
	s := begun("ralph-reject-1a2b3c4d").base(failed("aaaa0001", wrongStatus, "TestReject")).
		attempt([]string{"checks/expected.txt", "internal/auth/token.go"}, permitted).ends(loop.StatusPassed, loop.Green)
	patch := func(int) string {
		return "diff --git a/checks/expected.txt b/checks/expected.txt\n--- a/checks/expected.txt\n+++ b/checks/expected.txt\n@@ -1 +1 @@\n-401\n+SECRET-JUDGE\n" +
			"diff --git a/internal/auth/token.go b/internal/auth/token.go\n--- a/internal/auth/token.go\n+++ b/internal/auth/token.go\n@@ -1 +1 @@\n-a\n+product\n"
	}
	all := extracted(s, Files{Patch: patch})
	if text := asJSON(t, all); strings.Contains(text, "SECRET-JUDGE") || strings.Contains(text, "expected.txt") || !strings.Contains(text, "+product") {
		t.Errorf("a judge file that changed with permission is taught: %s", text)
	}
	only := begun("ralph-reject-1a2b3c4d").base(failed("aaaa0001", wrongStatus, "TestReject")).
		attempt([]string{"checks/expected.txt"}, permitted).ends(loop.StatusPassed, loop.Green)
	if all := extracted(only, Files{Patch: patch}); len(all) > 0 {
		t.Errorf("work on judge files alone teaches: %s", asJSON(t, all))
	}
}

func TestErrorLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":        {"", nil},
		"blank":          {"\n \n\t\n", nil},
		"no such word":   {"one\ntwo\n\nthree\n", []string{"one", "two", "three"}},
		"with what came": {"ok\nAssertionError: no\n  left: 1\n  right: 2\nbye", []string{"AssertionError: no", "  left: 1"}},
		"none of them":   {"0 errors\nall is well", []string{"0 errors", "all is well"}},
		"coloured":       {"\x1b[31merror\x1b[0m: x\r\n", []string{"error: x"}},
	} {
		if got := errorLines(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if got := errorLines(strings.Repeat("error: again and again\n", 1000)); len(got) != mostLines {
		t.Errorf("%d lines", len(got))
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	got := excerpt(patches(1), []string{"token.go:42: expected 401"}, 400, nil)
	if !strings.HasPrefix(got, "--- internal/auth/token.go\n@@") || !strings.Contains(got, "docs/notes.md") {
		t.Errorf("the file that failed is not first:\n%s", got)
	}
	if strings.Contains(got, "go.sum") || strings.Contains(got, "index 1..2") {
		t.Errorf("noise in the excerpt:\n%s", got)
	}
	secret := "diff --git a/.env b/.env\n@@ -0,0 +1 @@\n+PASSWORD=1\ndiff --git \"a/k\\303\\266.pem\" \"b/k\\303\\266.pem\"\n@@ -0,0 +1 @@\n+KEY\n"
	if got := excerpt(secret, nil, 1000, nil); got != "" {
		t.Errorf("secrets were taken down: %q", got)
	}
	if got := excerpt(patches(1), nil, 10, nil); got != "" {
		t.Errorf("an excerpt without a change: %q", got)
	}
}

func TestUsualWordsAreSorted(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(usualWords()) {
		t.Error("binary search needs them sorted")
	}
	if got, want := words("Fix the FIX: Überprüfung of go_mod, a-b c2c3, 401!"), []string{"überprüfung", "go_mod", "c2c3", "401"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMentioned(t *testing.T) {
	t.Parallel()
	files := []string{"a/token.go", "b/token.go", "Makefile", "x.c", "a/b.go"}
	for text, want := range map[string][]string{
		"fix token.go, please":        {"a/token.go", "b/token.go"},
		"fix `./a/token.go`.":         {"a/token.go"},
		"the Makefile and x.c (b.go)": {"Makefile", "x.c", "a/b.go"},
		"nothing of it":               nil,
	} {
		if got := mentioned(text, files); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
