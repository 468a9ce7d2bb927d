package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/demo"
	"ralph/internal/testing/tier"
)

// TestDemo tells the stories with every test runner that this machine has.
func TestDemo(t *testing.T) {
	t.Parallel()
	for i, v := range demo.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			if i > 0 {
				tier.SkipUnlessLong(t)
			}
			var end struct {
				AsAnnounced bool `json:"as_announced"`
				Tests       string
				Stories     []struct{ Loop struct{ Status string } }
			}
			words := demonstrate(t, &end, "--with", v.Name)
			if !end.AsAnnounced || end.Tests != v.Name || len(end.Stories) != 2 ||
				end.Stories[0].Loop.Status != "passed" || end.Stories[1].Loop.Status != "failed" {
				t.Errorf("%+v", end)
			}
			inEightyColumns(t, words)
		})
	}
}

// TestDemoOfAPlan works through the plan with every test runner.
func TestDemoOfAPlan(t *testing.T) {
	t.Parallel()
	for i, v := range demo.Variants() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			if i > 0 {
				tier.SkipUnlessLong(t)
			}
			var end struct {
				AsAnnounced bool `json:"as_announced"`
				Tests       string
			}
			words := demonstrate(t, &end, "--plan", "--with", v.Name)
			if !end.AsAnnounced || end.Tests != v.Name {
				t.Errorf("%+v\n%s", end, words)
			}
		})
	}
}

// demonstrate runs a demonstration to its end, in an environment without a home, a
// terminal, an identity and a locale, and answers what it told people.
func demonstrate(t *testing.T, end any, flags ...string) string {
	t.Helper()
	var out, words bytes.Buffer
	code := cli.Main(append([]string{"demo", "--json"}, flags...), command.Streams{
		In: strings.NewReader(""), Out: &out, Err: &words,
		Env: []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "RALPH_LIMITS_MAX_ITERATIONS=1"},
		Dir: t.TempDir(),
	}, cli.Options{})
	if code == 69 {
		tier.SkipLacking(t, "a test runner of the demo", words.String())
	}
	if err := json.Unmarshal(out.Bytes(), end); err != nil || code != 0 {
		t.Fatalf("exit code %d: %v\n%s", code, err, words.String())
	}
	return words.String()
}

// inEightyColumns: but for paths and what a test printed.
func inEightyColumns(t *testing.T, words string) {
	t.Helper()
	for line := range strings.Lines(words) {
		line = strings.TrimRight(line, "\n")
		verbatim := strings.HasPrefix(line, strings.Repeat(" ", 20))
		if n := len([]rune(line)); n > 80 && !verbatim && !strings.Contains(line, os.TempDir()) {
			t.Errorf("%d columns: %s", n, line)
		}
		if slices.ContainsFunc([]rune(line), func(r rune) bool { return r > 0x7e && !verbatim }) {
			t.Errorf("not ASCII, without a locale: %s", line)
		}
	}
}
