package config

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		write(t, path, string(got))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// TestKeysAreComplete: every key has a documentation, an environment variable of
// its own and a place in the schema, and the schema has no others. The golden
// files make each change of the format visible.
func TestKeysAreComplete(t *testing.T) {
	t.Parallel()
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var schema node
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	inSchema := map[string]bool{}
	schema.walk("", func(path string) { inSchema[path] = true })
	variables := map[string]string{}
	var table strings.Builder
	for _, k := range Keys() {
		if k.Doc == "" || k.Shape == "" || (k.Env == "") != (k.Path == "version") {
			t.Errorf("%s is not described: %+v", k.Path, k)
		}
		if !inSchema[k.Path] {
			t.Errorf("%s is not in the schema", k.Path)
		}
		delete(inSchema, k.Path)
		if other, twice := variables[k.Env]; twice {
			t.Errorf("%s and %s have one variable", k.Path, other)
		}
		variables[k.Env] = k.Path
		fmt.Fprintf(&table, "%s | %s | %s | %s | %s\n", k.Path, k.Env, k.Shape, k.Default, k.Doc)
	}
	for path := range inSchema {
		t.Errorf("%s is in the schema only", path)
	}
	golden(t, "keys.txt", []byte(table.String()))
	golden(t, "schema.json", text)
}

// node is as much of a JSON Schema as the test needs.
type node struct {
	Properties           map[string]node `json:"properties"`
	AdditionalProperties json.RawMessage `json:"additionalProperties"`
	AnyOf                []any           `json:"anyOf"`
	Description          string          `json:"description"`
}

func (n node) walk(path string, visit func(string)) {
	if len(n.Properties) > 0 {
		for name, child := range n.Properties {
			child.walk(join(path, name), visit)
		}
		return
	}
	var entry node
	if json.Unmarshal(n.AdditionalProperties, &entry) == nil && len(entry.Properties) > 0 {
		entry.walk(path+".<name>", visit)
		return
	}
	visit(path)
}

// TestSettable: every key takes its printed default, or a sample, from a file,
// from the environment and from a flag alike.
func TestSettable(t *testing.T) {
	t.Parallel()
	const base = "version: 1\nagents: {name: {use: claude}, asked: {use: api, provider: openai, model: m}}\ngates: {name: {run: x}, cov: {run: x, threshold: 1}, mut: {run: x, mutants: 3}, flake: {run: x, flaky: {retries: 1, owner: o}}, person: {kind: human}, pic: {images: x}}\nprices: {name: {input: 1, output: 2}}\n"
	for _, k := range Keys() {
		if k.Env == "" {
			continue
		}
		t.Run(k.Path, func(t *testing.T) {
			t.Parallel()
			name, source := "name", project
			switch {
			case strings.HasPrefix(k.Path, "notify."): // a repository notifies nobody
				source = func(text string) Sources {
					return Sources{User: &Source{Name: "config.yaml", Data: []byte(text + "notify: {targets: {name: {to: $HOOK}}}\n")}}
				}
			case k.Path == "engine", k.Path == "codec_key": // nor sends it work elsewhere
				source = func(text string) Sources { return Sources{User: &Source{Name: "config.yaml", Data: []byte(text)}} }
			case strings.HasSuffix(k.Path, ".hidden"), strings.HasSuffix(k.Path, ".files"), strings.HasSuffix(k.Path, ".files_ref"), strings.HasSuffix(k.Path, ".in"):
				name = "held"
				source = func(text string) Sources { // a repository hides nothing
					return Sources{User: &Source{Name: "config.yaml", Data: []byte(strings.Replace(text, "gates: {", "gates: {held: {run: x, hidden: on, files: /held}, ", 1))}}
				}
			case strings.HasSuffix(k.Path, ".threshold"), strings.HasSuffix(k.Path, ".report"), strings.HasSuffix(k.Path, ".scope"):
				name = "cov"
			case strings.HasSuffix(k.Path, ".mutants"):
				name = "mut"
			case strings.Contains(k.Path, ".flaky."):
				name = "flake"
			case strings.HasSuffix(k.Path, ".images"), strings.HasSuffix(k.Path, ".min"):
				name = "pic"
			case strings.HasSuffix(k.Path, ".ask"):
				name = "person"
			case strings.HasSuffix(k.Path, ".provider"), strings.HasSuffix(k.Path, ".base_url"), strings.HasSuffix(k.Path, ".key_env"), strings.HasSuffix(k.Path, ".max_tokens"):
				name = "asked"
			}
			path, text := strings.Replace(k.Path, "<name>", name, 1), sample(k)
			src := source(base)
			src.Env = []string{envName(path) + "=" + text}
			check(t, src, path, text)
			src = source(base)
			src.Flags = []Setting{{Key: path, Flag: "--x", Value: text}}
			check(t, src, path, text)
		})
	}
}

func sample(k Key) string {
	switch {
	case k.Default != "":
		return k.Default
	case strings.HasSuffix(k.Path, ".quarantine_until"):
		return "2026-12-31"
	case strings.HasSuffix(k.Path, ".to"), strings.HasSuffix(k.Path, ".secret"):
		return "$NAME"
	case k.Path == "refuse":
		return "[suspect, nested]"
	case strings.HasSuffix(k.Path, ".events"):
		return "[question, loop_failed]"
	case strings.HasSuffix(k.Path, ">.quiet_hours"):
		return "22:00-07:00"
	case strings.HasPrefix(k.Shape, "path of a .jsonl"):
		return "a/b.jsonl"
	case strings.HasPrefix(k.Path, "review.") && (strings.HasSuffix(k.Path, "reviewers") || strings.HasSuffix(k.Path, "voters")):
		return "[asked, codex]"
	case k.Shape == "hours":
		return "mon-fri 09:00-18:00"
	case k.Shape == "folder", strings.HasPrefix(k.Shape, "absolute path"):
		return "/a"
	case k.Shape == "list of folders":
		return `[/a, "~/b c"]`
	case strings.HasPrefix(k.Shape, "list"):
		return `[a, "b c:"]`
	case k.Shape == "dollars":
		return "0.5 USD"
	case k.Shape == "tokens":
		return "1500k"
	case strings.HasPrefix(k.Shape, "dollars for"):
		return "0.125"
	case strings.HasPrefix(k.Shape, "names"):
		return `{A: b, C: "1"}`
	case strings.HasPrefix(k.Shape, "whole"):
		return "7"
	case strings.HasPrefix(k.Shape, "0 to"):
		return "80.5"
	case k.Shape == "address":
		return "https://example.org/v1"
	case k.Shape == "duration":
		return "1m30s"
	case strings.HasPrefix(k.Shape, "duration"):
		return "{soft: 1m, hard: 1m30s}"
	}
	word, _, _ := strings.Cut(k.Shape, " ")
	return word
}

func check(t *testing.T, src Sources, path, text string) {
	t.Helper()
	r, err := Resolve(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Values() {
		if v.Key == path && v.Value == text && v.Origin.Layer != BuiltIn {
			return
		}
	}
	t.Errorf("%s is not %s:\n%v", path, text, r.Values())
}
