package main

import (
	"bytes"
	"context"
	"path/filepath"
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
		tree string
		want int
	}{{"one", 2}, {"one", 1}, {"two", 2}} {
		ran = 0
		rep := soakReport{Tree: row.tree, Steps: steps()}
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
