package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/config"
)

// TestConfigurationDocument: the table in the documentation is made of the same
// list of keys as the decoder. go test ./internal/cli -run Document -update
func TestConfigurationDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "configuration.md")
	want := configurationDocument()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")))); d != "" {
		t.Errorf("%s is not current; run with -update (-want +got):\n%s", path, d)
	}
}

const configurationIntro = `# Configuration

<!-- Written by: go test ./internal/cli -run Document -update -->

` + "`ralph.yaml`" + ` stands at the root of the repository. Every key but ` + "`version`" + ` is optional. A mistake is refused
with file, line, column and a suggestion, all mistakes at once; a number is obeyed or refused, never adjusted.
` + "`ralph init`" + ` writes a first one.

` + "```yaml\n" + configurationExample + "```" + `

Five layers are laid over each other, key by key; ` + "`ralph config show --origin`" + ` tells which one gave a value:

1. flags of the command line;
2. environment variables: ` + "`RALPH_`" + ` and the key in capitals, with ` + "`_`" + ` for ` + "`.`" + ` and ` + "`-`" + `:
   ` + "`RALPH_LIMITS_MAX_ITERATIONS=3`" + ` for every key but ` + "`version`" + `;
3. ` + "`ralph.yaml`" + `, or the file that ` + "`--config`" + ` names;
4. the person's own ` + "`$XDG_CONFIG_HOME/ralph/config.yaml`" + ` (` + "`~/.config/ralph/config.yaml`" + `);
5. the built-in values below.

Gates are frozen when a loop starts: a later change of the file changes nothing for it.

` + "`ralph config schema`" + ` prints a JSON Schema. An editor with the YAML language server uses it after
` + "`ralph config schema > .git/ralph.schema.json`" + ` and this first line in ` + "`ralph.yaml`" + `:

` + "```yaml" + `
# yaml-language-server: $schema=.git/ralph.schema.json
` + "```" + `
`

const configurationExample = `version: 1
gates:
  tests: {run: go test ./..., min_tests: 1}
  lint: {run: golangci-lint run, level: soft}
  coverage: {run: go test -coverprofile=c.out ./..., report: c.out, threshold: 80}
`

// TestConfigurationIntro: what the text above promises.
func TestConfigurationIntro(t *testing.T) {
	t.Parallel()
	if _, err := config.Resolve(config.Sources{Project: &config.Source{Name: "example", Data: []byte(configurationExample)}}); err != nil {
		t.Error(err)
	}
	for _, k := range config.Keys() {
		want := "RALPH_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(k.Path))
		if k.Path == "version" {
			want = ""
		}
		if k.Env != want {
			t.Errorf("%s: the variable is %q, want %q", k.Path, k.Env, want)
		}
	}
}

func configurationDocument() []byte {
	var b bytes.Buffer
	b.WriteString(configurationIntro)
	section := "-"
	for _, k := range config.Keys() {
		top, _, nested := strings.Cut(k.Path, ".")
		if !nested {
			top = ""
		}
		if top != section {
			section = top
			fmt.Fprintf(&b, "\n## %s\n\n| key | takes | built in | meaning |\n|---|---|---|---|\n", sectionTitle(top, k.Path))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(k.Path), cell(k.Shape), code(k.Default), cell(k.Doc))
	}
	return b.Bytes()
}

func sectionTitle(top, path string) string {
	switch {
	case top != "":
		return "`" + top + "`"
	case path == "version":
		return "The file"
	}
	return "Around the gates"
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(s)
}
