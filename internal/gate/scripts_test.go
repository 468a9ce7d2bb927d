package gate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/testing/tier"

	"github.com/google/go-cmp/cmp"
)

const basePackage = "{\n  \"name\": \"shop\",\n  \"scripts\": {\n    \"test\": \"jest\"\n  },\n  \"jest\": {\"bail\": true},\n  \"dependencies\": {}\n}\n"

func TestPackageScripts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, head, want string }{
		"unchanged":         {basePackage, basePackage, basePackage},
		"script changed":    {`{"scripts":{"test":"jest"}}`, "{ \"a\" : 1,\n\t\"scripts\":{\"test\":\"true\"} , \"dependencies\":{\"x\":\"1\"}}", "{ \"a\" : 1,\n\t\"scripts\":{\"test\":\"jest\"} , \"dependencies\":{\"x\":\"1\"}}"},
		"script removed":    {`{"scripts":{"test":"jest"}}`, `{"a":1}`, `{"scripts":{"test":"jest"},"a":1}`},
		"into nothing":      {`{"scripts":{"test":"jest"}}`, `{}`, `{"scripts":{"test":"jest"}}`},
		"script added":      {`{"a":1}`, `{"a":1,"scripts":{"test":"true"}}`, `{"a":1}`},
		"added in front":    {`{"a":1}`, `{"scripts":{"test":"true"}, "a":1}`, `{"a":1}`},
		"added alone":       {`{}`, `{"jest":{}}`, `{}`},
		"added twice":       {`{"a":1}`, `{"jest":1,"a":1,"jest":2,"jest":3}`, `{"a":1}`},
		"runner changed":    {`{"jest":{"bail":true}}`, `{"jest":{"testMatch":[]}}`, `{"jest":{"bail":true}}`},
		"given twice":       {`{"scripts":{"test":"jest"}}`, `{"scripts":{"test":"jest"},"scripts":{"test":"true"}}`, `{"scripts":{"test":"jest"},"scripts":{"test":"jest"}}`},
		"escaped key":       {`{"scripts":{"test":"jest"}}`, `{"scr\u0069pts":{"test":"true"}}`, `{"scr\u0069pts":{"test":"jest"}}`},
		"another's scripts": {`{"scripts":1}`, `{"config":{"scripts":2},"scripts":3}`, `{"config":{"scripts":2},"scripts":1}`},
		"head is broken":    {`{"scripts":{"test":"jest"}}`, `{"scripts":`, `{"scripts":`},
		"head is a list":    {`{"scripts":{"test":"jest"}}`, `[]`, `[]`},
		"base is broken":    {`{`, `{"scripts":{"test":"true"}}`, `{"scripts":{"test":"true"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, changed := PackageScripts([]byte(c.base), []byte(c.head))
			if d := cmp.Diff(c.want, string(got)); d != "" || changed != (c.head != c.want) {
				t.Errorf("changed=%v %s", changed, d)
			}
		})
	}
}

func TestRestoreScripts(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	file := filepath.Join(tree, "package.json")
	restore := func(want ...string) {
		t.Helper()
		got, err := RestoreScripts(tree, "package.json", []byte(basePackage))
		if err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%q, %v", got, err)
		}
	}
	restore()
	if err := os.WriteFile(file, []byte(`{"scripts":{"test":"true"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	restore("package.json")
	restore()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(outside, []byte(`{"scripts":{}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, file); err != nil {
		tier.SkipLacking(t, "symbolic links", err)
	}
	restore("package.json")
	if kept, err := os.ReadFile(outside); err != nil || string(kept) != `{"scripts":{}}` {
		t.Errorf("written through a link: %q, %v", kept, err)
	}
}

func TestReadsPackageScripts(t *testing.T) {
	t.Parallel()
	for c, want := range map[string]bool{"npm test": true, "cd web && yarn test": true, "npx jest": true, "sh -c 'npm test'": true, "go test": false, "": false, "echo npm": false, "make test": false} {
		if ReadsPackageScripts(c) != want {
			t.Errorf("%q", c)
		}
	}
	pkg := []byte(`{"scripts":{"pretest":"tsc","test":"node scripts/t.js","build":"x"}}`)
	if d := cmp.Diff([]string{"tsc", "node scripts/t.js"}, PackageCommands("npm t", pkg)); d != "" {
		t.Error(d)
	}
	if got := PackageCommands("make test", pkg); got != nil {
		t.Errorf("%q", got)
	}
}

func FuzzPackageScripts(f *testing.F) {
	f.Add([]byte(basePackage), []byte(`{"scripts":{"test":"true"},"jest":1,"jest":2}`))
	f.Fuzz(func(t *testing.T, base, head []byte) {
		got, _ := PackageScripts(base, head)
		var b, h, g map[string]any
		if json.Unmarshal(base, &b) != nil || b == nil || json.Unmarshal(head, &h) != nil || h == nil {
			return
		}
		if err := json.Unmarshal(got, &g); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		for _, key := range judging() {
			if d := cmp.Diff(b[key], g[key]); d != "" {
				t.Errorf("%s: %s", key, d)
			}
			delete(h, key)
			delete(g, key)
		}
		if d := cmp.Diff(h, g); d != "" {
			t.Errorf("something else changed: %s", d)
		}
	})
}
