package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"ralph/internal/cli"
)

// goTypes matches an option whose value has no name of its own.
var goTypes = regexp.MustCompile(`\\fB--[a-z-]+\\fP.*(=""|=\[\]|\[=false\]|STRING|FLOAT|\\fIINT)`)

// TestManPages: a page for every command and topic, the same at any time.
func TestManPages(t *testing.T) {
	t.Parallel()
	render := func() map[string][]byte {
		pages, err := manPages(cli.Commands(), time.Unix(0, 0).UTC())
		if err != nil {
			t.Fatal(err)
		}
		return pages
	}
	pages, again := render(), render()
	for _, name := range []string{"ralph.1", "ralph-run.1", "ralph-config-show.1", "ralph-exit-codes.7", "ralph-environment.7"} {
		if len(pages[name]) == 0 {
			t.Errorf("there is no page %s", name)
		}
	}
	for name, text := range pages {
		if !bytes.Equal(text, again[name]) {
			t.Errorf("%s is rendered differently the second time", name)
		}
		if m := goTypes.FindString(string(text)); m != "" {
			t.Errorf("%s names a type or a default of Go: %s; put the value's name between backquotes", name, m)
		}
		if strings.Contains(name, "help") {
			t.Errorf("%s is about a hidden command", name)
		}
	}
	if !bytes.Contains(pages["ralph-exit-codes.7"], []byte("   69  a tool or an agent is missing")) {
		t.Errorf("the topic's table lost its shape:\n%s", pages["ralph-exit-codes.7"])
	}
}

// TestEveryCommandHasExamples: they are what people look for.
func TestEveryCommandHasExamples(t *testing.T) {
	t.Parallel()
	for _, c := range visible(cli.Commands()) {
		if c.Runnable() && c.Example == "" && c.Parent() != nil && c.Parent().Name() != "completion" && c.Name() != "completion" {
			t.Errorf("%s has no example", c.CommandPath())
		}
	}
}
