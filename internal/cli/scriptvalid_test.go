package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"ralph/internal/cli"
	"ralph/internal/schema"
)

// validators has, for each format, its published and its strict schema.
var validators = sync.OnceValues(func() (map[string][]*jsonschema.Schema, error) {
	out := map[string][]*jsonschema.Schema{}
	for _, f := range cli.Formats() {
		for _, make := range []func() ([]byte, error){f.Published, f.Strict} {
			text, err := make()
			if err != nil {
				return nil, err
			}
			s, err := compiled(f, text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			out[f.Name] = append(out[f.Name], s)
		}
	}
	return out, nil
})

func compiled(f schema.Format, text []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(f.File(), doc); err != nil {
		return nil, err
	}
	return c.Compile(f.File())
}

// valid holds every JSON value of files, stdout or stderr to the schemas of its
// format: valid ralph.bus/v1 .ralph/log.jsonl. Without a format each says its
// own: valid - stdout. A file may be a glob.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: valid FORMAT|- FILE")
	}
	files := []string{args[1]}
	if strings.Contains(args[1], "*") {
		files, _ = filepath.Glob(ts.MkAbs(args[1]))
	}
	n := 0
	for _, file := range files {
		dec := json.NewDecoder(strings.NewReader(ts.ReadFile(file)))
		dec.UseNumber()
		for ; ; n++ {
			var v any
			if err := dec.Decode(&v); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				ts.Fatalf("%s: %v", file, err)
			}
			if err := fits(args[0], v); err != nil {
				ts.Fatalf("%s: value %d: %v", file, n+1, err)
			}
		}
	}
	if n == 0 {
		ts.Fatalf("%s: nothing to validate", args[1])
	}
}

func fits(format string, v any) error {
	all, err := validators()
	if err != nil {
		return err
	}
	if m, ok := v.(map[string]any); ok && format == "-" {
		format, _ = m["schema"].(string)
	}
	schemas, ok := all[format]
	if !ok {
		return fmt.Errorf("no schema of %q", format)
	}
	for _, s := range schemas {
		if err := s.Validate(v); err != nil {
			return err
		}
	}
	return nil
}

// TestStrictSchemasRefuse: a schema that accepts everything would prove nothing.
func TestStrictSchemasRefuse(t *testing.T) {
	t.Parallel()
	all, err := validators()
	if err != nil {
		t.Fatal(err)
	}
	for name, schemas := range all {
		for _, v := range []any{map[string]any{}, []any{}, nil, map[string]any{"schema": "ralph.other/v1"}} {
			for i, s := range schemas {
				if s.Validate(v) == nil {
					t.Errorf("%s: schema %d accepts %v", name, i, v)
				}
			}
		}
	}
	ok := map[string]any{"schema": "ralph.error/v1", "message": "m", "hint": "", "exit": json.Number("64")}
	more := map[string]any{"schema": "ralph.error/v1", "message": "m", "hint": "", "exit": json.Number("64"), "new": true}
	if e := all["ralph.error/v1"]; e[0].Validate(ok) != nil || e[1].Validate(ok) != nil || e[0].Validate(more) != nil || e[1].Validate(more) == nil {
		t.Error("a new field must fit what is published, and not what is strict")
	}
}

// TestEveryFormatHasASchema: each name of a format in the sources is published,
// or stands here with the reason why it is not.
func TestEveryFormatHasASchema(t *testing.T) {
	t.Parallel()
	known := map[string]string{
		"ralph.config/v1": "a list of keys as text; ralph.yaml itself has a schema", "ralph.version/v1": "four words",
		"ralph.accept/v1": "one answer of a command", "ralph.archive/v1": "one answer of a command", "ralph.clean/v1": "one answer of a command",
		"ralph.dryrun/v1": "shows the inside of a spec", "ralph.dryplan/v1": "shows the inside of specs", "ralph.doctor/v1": "findings for people, as a list", "ralph.init/v1": "one answer of a command",
		"ralph.demo/v1": "a show", "ralph.demoplan/v1": "a show", "ralph.exit/v1": "between processes of ralph", "ralph.run/v1": "between processes of ralph", "ralph.run/v0": "a test's",
		"ralph.checks/v1": "a list of ralph.check/v1", "ralph.verification/v1": "one answer of a command", "ralph.question/v1": "one answer of a command",
		"ralph.answer/v1": "of tools, described by the protocol", "ralph.patterns/v1": "seed 001's files, for other programs", "ralph.memory/v1": "a file of the loop's own",
		"ralph.unit/v1": "one answer of a command", "ralph.plugin/v1": "one answer of a command", "ralph.repository/v1": "between processes of ralph", "ralph.call/v1": "between processes of ralph",
		"ralph.trusted/v1": "one answer of a command", "ralph.trustlist/v1": "one answer of a command", "ralph.revoked/v1": "one answer of a command", "ralph.trust/v1": "a file of a person's own",
		"ralph.tests/v1": "a file of the loop's own", "ralph.canary/v1": "a file of the loop's own",
		"ralph.notify/v1": "what webhooks and programs of the user get: docs/formats-objects.md", "ralph.notified/v1": "one answer of a command", "ralph.workerdoctor/v1": "one answer of a command", "ralph.workers/v1": "one answer of a command", "ralph.move/v1": "one answer of a command", "ralph.web/v1": "one answer of a command",
	}
	for _, f := range cli.Formats() {
		known[f.Name] = "published"
	}
	names := regexp.MustCompile(`"(ralph\.[a-z_]+/v\d+)"`)
	for path, text := range goSources(t) {
		for _, m := range names.FindAllStringSubmatch(text, -1) {
			if known[m[1]] == "" {
				t.Errorf("%s writes %s, which has no schema: add it to formats in schemacmd.go, or here with the reason", path, m[1])
			}
		}
	}
}

// goSources are the product's own sources.
func goSources(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = string(text)
		return err
	})
	if err != nil || len(out) < 100 {
		t.Fatalf("%d sources: %v", len(out), err)
	}
	return out
}
