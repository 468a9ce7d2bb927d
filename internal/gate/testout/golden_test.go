package testout

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// Outputs of real runs (go, node, python, cargo) and of runners that are not
// at hand everywhere, each with what is read from it.
func TestGolden(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) < 15 {
		t.Fatalf("fixtures: %d, %v", len(files), err)
	}
	for _, name := range files {
		if filepath.Ext(name) == ".golden" {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			golden(t, name)
		})
	}
}

func golden(t *testing.T, name string) {
	in, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(read(t, name, in), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	file := name + ".golden"
	if *update {
		if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.TrimSpace(string(want)), string(got)); d != "" {
		t.Error(d)
	}
}

func read(t *testing.T, name string, in []byte) Report {
	t.Helper()
	if filepath.Ext(name) == ".xml" {
		r, err := JUnitXML(in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if filepath.Ext(name) == ".rspecjson" {
		r, err := RSpecJSON(in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r, ok := Parse(in)
	if !ok {
		t.Fatal("not recognised")
	}
	return r
}
