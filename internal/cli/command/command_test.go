package command

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"ralph/internal/cli/exit"
)

// TestYesOrNo: only yes and no are answers; the end of input is no.
func TestYesOrNo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed       string
		empty, want bool
	}{
		{"y\n", false, true},
		{"YES\n", false, true},
		{"n\n", true, false},
		{"no\n", true, false},
		{"\n", false, false},
		{"\n", true, true},
		{"maybe\nyes\n", false, true},
		{"maybe\n", true, false},
		{"", true, false},
	} {
		var shown bytes.Buffer
		term := Terminal{Streams: Streams{In: strings.NewReader(c.typed), Err: &shown}}
		got, err := term.YesOrNo(t.Context(), "sure? ", c.empty)
		if err != nil || got != c.want {
			t.Errorf("%q: %v, %v", c.typed, got, err)
		}
		if again := strings.Contains(shown.String(), "yes or no?"); again != strings.Contains(c.typed, "maybe") {
			t.Errorf("%q: %q", c.typed, shown.String())
		}
	}
}

// TestConfirm: without a terminal only --yes confirms.
func TestConfirm(t *testing.T) {
	t.Parallel()
	term := Terminal{Streams: Streams{In: strings.NewReader("y\n"), Err: io.Discard}}
	if _, err := term.Confirm(t.Context(), "Delete it?"); exit.Classify(err).Code != exit.Usage {
		t.Errorf("without a terminal: %v", err)
	}
	term.Yes = true
	if ok, err := term.Confirm(t.Context(), "Delete it?"); !ok || err != nil {
		t.Errorf("with --yes: %v, %v", ok, err)
	}
}

// TestReport: an error is one line with a hint, or one object, or silent.
func TestReport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		json, quiet bool
		want        string
	}{
		{false, false, "ralph: no such file\n  try: name another\n"},
		{true, false, `"exit":64`},
		{false, true, ""},
	} {
		var shown bytes.Buffer
		term := Terminal{Streams: Streams{Err: &shown}, JSON: c.json}
		term.Report(&exit.Error{Code: exit.Usage, Err: errors.New("no such file"), Hint: "name another", Quiet: c.quiet})
		if got := shown.String(); got != c.want && (!c.json || !strings.Contains(got, c.want)) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestShellWord: a shell reads back the very word.
func TestShellWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"plan.md": "plan.md", "/a/b c": "'/a/b c'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "größe": "größe",
	} {
		if got := ShellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// TestGetenv: the last value of a variable counts, as for a child process.
func TestGetenv(t *testing.T) {
	t.Parallel()
	term := Terminal{Streams: Streams{Env: []string{"A=1", "AB=2", "A=3", "C"}}}
	if got := term.Getenv("A"); got != "3" {
		t.Error(got)
	}
	if got := term.Getenv("C"); got != "" {
		t.Error(got)
	}
}
