package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSummary(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	r := newReader(&out)
	r.began = time.Now()
	r.read(strings.NewReader(`{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:1: this machine lacks bubblewrap: not found\n"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"left to make soak\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"want 1, got 2\n"}
{"Action":"fail","Package":"p","Test":"TestC","Elapsed":0.5}
{"Action":"pass","Package":"p","Test":"TestD"}
not json
{"Action":"skip","Package":"p","Test":"TestE"}
{"Action":"output","Package":"h","Test":"TestHangs","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"h"}
{"Action":"skip","Package":"without tests"}
{"Action":"pass","Package":"q","Elapsed":1.5}`))
	r.summary()
	for _, want := range []string{
		"--- FAIL: TestC  p (0.5s)\nwant 1, got 2\n", "not json\n", "ok        1.5s  q\n",
		"left out: 1 tests, since this machine lacks bubblewrap\n", "left out: 1 tests of the long tier (make soak)\n",
		"left out: p TestE\n", "\n1 passed, 1 failed, 3 skipped\n", "--- UNFINISHED: TestHangs\npanic: test timed out\n", "failed: h\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("missing %q in:\n%s", want, out.String())
		}
	}
}

// TestResume runs the steps that an interrupted run left, and all of them again
// for another content.
func TestResume(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "soak")
	ran := 0
	steps := func() []*step {
		green := func(context.Context, *reader) error { ran++; return nil }
		red := func(_ context.Context, r *reader) error {
			ran++
			r.take(event{Action: "fail", Package: "b"})
			return nil
		}
		return []*step{{Name: "a", run: green}, {Name: "b", run: red}}
	}
	for _, row := range []struct {
		tree, settings string
		want           int
	}{{"one", "fuzz=1m", 2}, {"one", "fuzz=1m", 1}, {"two", "fuzz=1m", 2}, {"two", "fuzz=1h", 2}} {
		ran = 0
		rep := soakReport{Tree: row.tree, Settings: row.settings, Steps: steps()}
		rep.recall(name + ".json")
		for _, s := range rep.Steps {
			if !s.Green {
				if err := s.do(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := rep.write(name); err != nil {
			t.Fatal(err)
		}
		if ran != row.want || !rep.Steps[0].Green || rep.Steps[1].Green {
			t.Errorf("tree %s: %d steps ran, want %d", row.tree, ran, row.want)
		}
		if text := string(rep.table()); !strings.Contains(text, "| a | green |") || !strings.Contains(text, "| b | **red** |") {
			t.Error(text)
		}
	}
}

// TestStepsAreListedFromSources: nothing is built before the first step prints.
func TestStepsAreListedFromSources(t *testing.T) {
	t.Parallel()
	steps, err := options{fuzz: time.Second}.steps(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range steps {
		names = append(names, s.Name)
	}
	for _, want := range []string{"race ralph/internal/testing/suite", "conformance"} {
		if !slices.Contains(names, want) {
			t.Errorf("no step %q in %q", want, names)
		}
	}
	found := fuzzTarget.FindAllSubmatch([]byte("func FuzzA(f *testing.F) {\nfunc Fuzzy(t *testing.T) {\n\tfunc FuzzB(f *testing.F)\n"), -1)
	if len(found) != 1 || string(found[0][1]) != "FuzzA" {
		t.Errorf("%q", found)
	}
}

// TestReportIsApart: a report among the tested files would change the tree.
func TestReportIsApart(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := output(t.Context(), "git", "init", "-q"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(".gitignore", []byte("/soak.json\n/soak.json.new\n/soak.md\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"soak": "", filepath.Join(t.TempDir(), "x"): "", "mine": "git does not ignore mine.json"} {
		err := reportIsApart(t.Context(), name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
