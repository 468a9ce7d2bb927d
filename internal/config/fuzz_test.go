package config

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// FuzzResolve: whatever the bytes are, Resolve answers with settings that keep
// their bounds, or with errors that name the file. What it accepts it reads the
// same when every value is given again as it prints it.
func FuzzResolve(f *testing.F) {
	f.Add([]byte(tour))
	f.Add([]byte("version: 1\ngates: {a: &a {run: x}, b: *a}\n"))
	f.Add([]byte("version: 1\nlimits: {loop_timeout: 1e9h, max_iterations: 0x10}\n"))
	f.Add([]byte("version: 1\n? {a: b}\n: c\n"))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("%YAML 1.1\n---\nversion: 1\n"))
	f.Add([]byte("version: 1\ngates:\n  x: {run: \"\\xff\\0\", env: {A: \"\\x7f\\u0085\"}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Resolve(Sources{Project: &Source{Name: FileName, Data: data}})
		if err != nil {
			var errs Errors
			ok := errors.As(err, &errs)
			if !ok || len(errs) == 0 {
				t.Fatalf("%T %v", err, err)
			}
			for _, e := range errs {
				if e.File != FileName || e.Message == "" || strings.ContainsAny(e.Message, "\x1b\x00") {
					t.Fatalf("%+v", e)
				}
			}
			return
		}
		bounds(t, r)
		again(t, r)
	})
}

func bounds(t *testing.T, r *Resolved) {
	l := r.Limits()
	if l.MaxIterations < 1 || l.ConfirmPasses < 1 || l.StuckAfter < 1 || l.MaxShifts < 0 || l.Loop.Hard <= 0 || l.Attempt.Hard < l.Attempt.Soft || r.MaxLoops() < 1 {
		t.Fatalf("limits %+v", l)
	}
	for _, g := range r.Gates() {
		if g.Threshold != nil && !(*g.Threshold >= 0 && *g.Threshold <= 100) {
			t.Fatalf("threshold %v", *g.Threshold)
		}
		if g.Run == "" && g.Kind != loop.KindVisual && g.Kind != loop.KindHuman || g.Timeout.Hard <= 0 || strings.Contains("/"+g.Dir+"/", "/../") {
			t.Fatalf("gate %+v", g)
		}
	}
}

// again reads every printed value back.
func again(t *testing.T, r *Resolved) {
	copied := *r
	copied.origins = map[string]Origin{}
	paths, byPath := leaves(&copied.Settings)
	for _, path := range paths {
		l := byPath[path]
		text := l.String()
		if c, ok := l.(*Command); ok && c.Shell || text == "" {
			continue // a line may look like a list; the environment cannot say which
		}
		fresh := emptyLeaf(l)
		if e := copied.assign(path, text, Origin{File: "x"}, map[string]leaf{path: fresh}); e != nil && path != "version" {
			t.Fatalf("%s: %q: %v", path, text, e)
		}
		if path != "version" && fresh.String() != text {
			t.Fatalf("%s: %q became %q", path, text, fresh.String())
		}
	}
}

func emptyLeaf(like leaf) leaf {
	of := reflect.TypeOf(like)
	if l, ok := like.(textLeaf); ok {
		of = reflect.PointerTo(l.value.Type())
	}
	l, _ := leafOf(reflect.New(of.Elem()).Elem())
	return l
}

func FuzzParseGateFlag(f *testing.F) {
	for _, s := range []string{"tests", "coverage=80", "coverage=80%", "a=baseline", "=", "a=0x1p4", "a=1_0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := ParseGateFlag(s)
		if err != nil {
			return
		}
		if checkName(g.Name) != nil || g.Threshold != nil && (math.IsNaN(*g.Threshold) || *g.Threshold < 0 || *g.Threshold > 100) {
			t.Fatalf("%q: %+v", s, g)
		}
	})
}

// FuzzSkeleton: texts from anywhere come back as they were.
func FuzzSkeleton(f *testing.F) {
	f.Add("shop", "go test ./...", "note")
	f.Add("on", "a: b # c", "x\ny")
	f.Add("- a", "|\n  x", "\u2028")
	f.Add("...", "\u0085 \ufeff", "\x00")
	f.Fuzz(func(t *testing.T, project, run, note string) {
		text, err := Skeleton(Draft{
			Project: project, Setup: []string{run},
			Gates: []GateDraft{{Gate: loop.Gate{Name: "tests", Kind: "tests", Run: run}, Note: note}},
		})
		if err != nil {
			return
		}
		r, err := Resolve(Sources{Project: &Source{Name: FileName, Data: text}})
		if err != nil {
			t.Fatal(err)
		}
		valid := func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
		got := []string{string(r.Settings.Project), r.Gates()[0].Run, r.Settings.Isolation.Setup[0]}
		if d := cmp.Diff([]string{valid(project), valid(run), valid(run)}, got); d != "" {
			t.Fatal(d)
		}
	})
}
