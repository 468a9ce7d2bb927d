//go:build unix

package store

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"ralph/internal/loop"
)

var update = flag.Bool("update", false, "write the golden files")

// viewed is a store with views and a clock that stands still.
func viewed(t *testing.T) (s *Store, dir, views string) {
	t.Helper()
	base := t.TempDir()
	dir, views = filepath.Join(base, "ralph"), filepath.Join(base, ".ralph")
	return openTest(t, dir, Options{Views: views, Now: clock, Owner: "test"}), dir, views
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	must(t, err)
	return string(b)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	if diff := cmp.Diff(read(t, path), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// failing is a loop in its third attempt: twice the same failure, then another.
func failing(id string) loop.State {
	st := newState(id)
	st.Task = loop.Task{ID: "auth-feature", Text: "Add authentication\nwith tokens"}
	st.Parent = "plan-1"
	st.Gates = append(st.Gates, loop.Gate{Name: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Threshold: new(80.0)})
	st.Status, st.Step, st.Iteration = loop.Running, loop.StepAgent, 3
	for i, value := range []float64{70, 65, 60} {
		at := clock().Add(time.Duration(i+1) * time.Minute)
		a := loop.Attempt{
			N: i + 1, StartedAt: at, EndedAt: at.Add(time.Second), Verdict: loop.Failed, Changed: true,
			Files: []string{"src/auth.go", fmt.Sprintf("src/try %d.go", i)}, Commit: fmt.Sprintf("c%d", i+1),
			FailedGate: "tests", Fingerprint: "a3f2b7c1", Error: "exit code 1",
			Approach: loop.Approach{Shift: i == 2},
			Results: []loop.Result{
				{
					Gate: "tests", Kind: loop.KindTests, Level: loop.Hard, Verdict: loop.Failed, ExitCode: new(1),
					Reason: "2 of 9 tests failed", Excerpt: fmt.Sprintf("FAIL attempt %d\n```\nquoted\n```\n", i+1),
				},
				{
					Gate: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Verdict: loop.Failed,
					Reason: "below 80 %", Value: new(value), Threshold: new(80.0),
				},
			},
		}
		st.Recent = append(st.Recent, a)
		st.LastAt = a.EndedAt
	}
	st.Recent[2].Fingerprint = "c4d5e6f7"
	st.Commit = "c3"
	return st
}

func TestViews(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	l := create(t, s, "ralph-auth-1a2b3c4d")
	st := failing(l.ID())
	end := loop.GateEnded{Stamp: loop.Stamp{At: st.LastAt}, Result: st.Recent[2].Results[1]}
	must(t, l.Commit(t.Context(), st, []loop.Event{end}))
	must(t, s.ViewError())

	golden(t, "state.md", read(t, views, "loops", l.ID(), "state.md"))
	pid := strconv.Itoa(os.Getpid())
	anon := func(text string) string { return strings.ReplaceAll(text, `"pid": `+pid, `"pid": 12345`) }
	golden(t, "state.json", anon(read(t, views, "loops", l.ID(), "state.json")))
	golden(t, "registry.json", anon(read(t, views, "registry.json")))
	must(t, endWith(t.Context(), l, loop.StatusFailed, loop.MaxAttempts))
	golden(t, "log.jsonl", read(t, views, "log.jsonl"))

	if got := read(t, views, ".gitignore"); got != "*\n" {
		t.Errorf(".gitignore = %q", got)
	}
	for path, want := range map[string]os.FileMode{
		"": 0o700, "loops": 0o700, "loops/" + l.ID(): 0o700, "registry.json": 0o600, "log.jsonl": 0o600,
		".gitignore": 0o600, "loops/" + l.ID() + "/state.json": 0o600, "loops/" + l.ID() + "/state.md": 0o600,
	} {
		fi, err := os.Lstat(filepath.Join(views, path))
		must(t, err)
		if fi.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, fi.Mode())
		}
	}
}

// A power cut leaves an empty .gitignore, which ignores nothing; what a person wrote
// into it stays.
func TestGitignoreOfViews(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	ignore := filepath.Join(views, ".gitignore")
	for i, c := range []struct{ had, want string }{{"", "*\n"}, {"!reports\n", "!reports\n"}} {
		must(t, os.MkdirAll(views, 0o700))
		must(t, os.WriteFile(ignore, []byte(c.had), 0o600))
		create(t, s, "loop-"+strconv.Itoa(i))
		must(t, s.ViewError())
		if got := read(t, views, ".gitignore"); got != c.want {
			t.Errorf("%q became %q, want %q", c.had, got, c.want)
		}
	}
}

// The registry names the orchestration and the declared files of each loop, and
// the log the loops that were forced.
func TestRegistryOfMany(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	st := newState("a")
	st.Parent, st.Task.Scope = "orch", []string{"internal/auth/**"}
	l, err := s.Create(t.Context(), st, Admission{})
	must(t, err)
	defer l.Release(t.Context())
	l, err = s.Create(t.Context(), newState("b"), Admission{Max: 1, Force: true})
	must(t, err)
	defer l.Release(t.Context())
	registry := read(t, views, "registry.json")
	for _, want := range []string{`"parent": "orch"`, `"internal/auth/**"`} {
		if strings.Count(registry, want) != 1 {
			t.Errorf("%s stands %d times in\n%s", want, strings.Count(registry, want), registry)
		}
	}
	if log := read(t, views, "log.jsonl"); strings.Count(log, `"forced_over":1,"communication_paths":1`) != 1 {
		t.Errorf("the log is\n%s", log)
	}
}

func TestAPassedLoopKeepsOnlyItsStateJSON(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	l := create(t, s, "a")
	read(t, views, "loops/a/state.md")
	must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
	if _, err := os.Lstat(filepath.Join(views, "loops/a/state.md")); !os.IsNotExist(err) {
		t.Errorf("state.md of a passed loop: %v", err)
	}
	read(t, views, "loops/a/state.json")
	must(t, l.Release(t.Context()))
	must(t, s.Archive(t.Context(), "a"))
	if _, err := os.Lstat(filepath.Join(views, "loops/a")); !os.IsNotExist(err) {
		t.Errorf("views of an archived loop: %v", err)
	}
}

// positions reads the log and checks that each line stands once and in order.
func positions(t *testing.T, views string) []int64 {
	t.Helper()
	var out []int64
	for line := range strings.Lines(read(t, views, "log.jsonl")) {
		var l busLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		if n := len(out); n > 0 && out[n-1] >= l.Pos {
			t.Fatalf("position %d after %d", l.Pos, out[n-1])
		}
		out = append(out, l.Pos)
	}
	return out
}

// TestTheEndIsShown: the commit of an end waits for the views, since none follows it
// that would bring them up to date where the process is killed.
func TestTheEndIsShown(t *testing.T) {
	t.Parallel()
	s, _, _ := viewed(t)
	l := tried(t, s, "x", 3)
	attempt(t, l, true)
	must(t, endWith(t.Context(), l, loop.StatusFailed, loop.MaxAttempts))
	must(t, s.read(t.Context(), "check the views", func(tx *sql.Tx) error {
		differ, err := s.checkViews(t.Context(), tx)
		if len(differ) > 0 {
			t.Error(differ)
		}
		return err
	}))
}

func TestTwoWritersLogEachEventOnce(t *testing.T) {
	t.Parallel()
	s, dir, views := viewed(t)
	a, b := spawn(t, "steps", dir, "a", "60", views), spawn(t, "steps", dir, "b", "60", views)
	a.end()
	b.end()
	if got := positions(t, views); len(got) != 122 || got[121] != 122 {
		t.Errorf("%d lines, the last at %d", len(got), got[len(got)-1])
	}
	if found, err := s.Problems(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("Check: %v, %v", found, err)
	}
}

func TestATornLogIsMended(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	l := create(t, s, "a")
	must(t, tick(t.Context(), l))
	whole := read(t, views, "log.jsonl")
	for name, torn := range map[string]string{
		"half a line":                   whole + `{"type":"agent_loop","ev`,
		"lost a line":                   whole[:strings.Index(whole, "\n")+1],
		"lost half":                     whole[:len(whole)-5],
		"no log":                        "",
		"not ours":                      "hello\n",
		"of a database that is no more": `{"pos":99999}` + "\n",
	} {
		must(t, os.WriteFile(filepath.Join(views, "log.jsonl"), []byte(torn), 0o600))
		before := l.seq
		must(t, tick(t.Context(), l))
		if got := positions(t, views); int64(len(got)) != before+1 || got[0] != 1 {
			t.Errorf("%s: positions %v", name, got)
		}
	}
}

func TestDeletedViewsAreWrittenAgain(t *testing.T) {
	t.Parallel()
	s, dir, views := viewed(t)
	l := create(t, s, "a")
	create(t, s, "b")
	done := create(t, s, "done")
	must(t, endWith(t.Context(), done, loop.StatusFailed, loop.Stuck))
	must(t, os.RemoveAll(views))
	must(t, tick(t.Context(), l))
	for _, name := range []string{"registry.json", "loops/a/state.md", "loops/b/state.json", "log.jsonl"} {
		read(t, views, name)
	}
	if got := positions(t, views); len(got) != 3 { // a, b, and the tick
		t.Errorf("log of active loops: %v", got)
	}
	must(t, os.RemoveAll(views))
	must(t, s.RebuildViews(t.Context()))
	read(t, views, "loops/done/state.json")
	if got := positions(t, views); len(got) != 6 {
		t.Errorf("whole log: %v", got)
	}
	if found, err := openTest(t, dir, Options{Views: views, ReadOnly: true}).Problems(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("Check: %v, %v", found, err)
	}
}

func TestViewsNeverFailACommit(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(views string) error{
		"a file":                func(v string) error { return os.WriteFile(v, nil, 0o600) },
		"a link":                func(v string) error { return os.Symlink(os.TempDir(), v) },
		"a directory as a view": func(v string) error { return os.MkdirAll(filepath.Join(v, "registry.json", "x"), 0o700) },
		"a link out of it": func(v string) error {
			if err := os.Mkdir(v, 0o700); err != nil {
				return err
			}
			return os.Symlink(filepath.Dir(v), filepath.Join(v, "loops"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _, views := viewed(t)
			must(t, spoil(views))
			l := create(t, s, "a")
			must(t, tick(t.Context(), l))
			if s.ViewError() == nil {
				t.Error("no error was kept")
			}
			if found, err := s.Problems(t.Context()); err != nil || len(found) == 0 {
				t.Errorf("Check: %v, %v", found, err)
			}
			if files, _ := filepath.Glob(filepath.Join(filepath.Dir(views), "a*")); len(files) > 0 {
				t.Errorf("written outside: %v", files)
			}
		})
	}
}

func TestFrontmatterOfHostileText(t *testing.T) {
	t.Parallel()
	nasty := []string{
		"plain-id", "true", "No", "null", "~", "", " ", "1e5", "0x1f", "12345678", "1e234567", "- x", "a: b", "a #b",
		"---\nstatus: passed", "\"quoted\"", "it's", "\x1b[31m", "\x00", "\x7f", "\u0085\u2028\ufeff", "tab\t", "\\", "{a}", "[a]", "&a *b",
		"!!str x", "%TAG", "@x", "`x`", "ünï", "🦊", "2026-11-20", ".inf", "=", "<<", "y",
	}
	for _, text := range nasty {
		st := failing("a")
		st.Task.ID = text
		st.Recent[2].Files = []string{text}
		st.Recent[2].FailedGate, st.Recent[2].Fingerprint = text, text
		head, _, _ := strings.Cut(stateMarkdown(st, st.Recent), "\n---\n")
		var got struct {
			TaskID string   `yaml:"task_id"`
			Gate   string   `yaml:"last_gate"`
			Hash   string   `yaml:"error_hash"`
			Files  []string `yaml:"files_modified"`
		}
		if err := yaml.Unmarshal([]byte(head), &got); err != nil {
			t.Errorf("%q: %v\n%s", text, err, head)
			continue
		}
		if got.TaskID != text || got.Hash != text || text != "" && got.Gate != text || !slices.Contains(got.Files, text) {
			t.Errorf("%q came back as %+v", text, got)
		}
	}
	if got := yamlText("\xff"); got != `"�"` {
		t.Errorf("invalid bytes: %s", got)
	}
}

func TestStuckCount(t *testing.T) {
	t.Parallel()
	for prints, want := range map[string]int{"": 0, "a": 0, "aa": 2, "aaa": 3, "aab": 0, "baa": 2, "aa.": 2, "abab": 0} {
		var attempts []loop.Attempt
		for _, p := range prints {
			a := loop.Attempt{Verdict: loop.Failed, Fingerprint: string(p)}
			if p == '.' { // under way
				a = loop.Attempt{}
			}
			attempts = append(attempts, a)
		}
		if got := stuckCount(attempts); got != want {
			t.Errorf("%q: %d, want %d", prints, got, want)
		}
	}
}

// TestRegressionCount: the view counts what the detector counts.
func TestRegressionCount(t *testing.T) {
	t.Parallel()
	for values, want := range map[string]int{"": 0, "5": 0, "54": 1, "543": 2, "544": 0, "5.4": 0, "5431": 3, "98": 0, "984": 1} {
		st := loop.State{Spec: loop.Spec{Gates: []loop.Gate{{Name: "coverage", Kind: loop.KindCoverage}}}}
		for i, v := range values {
			r := loop.Result{Gate: "coverage", Verdict: loop.Failed, Value: new(float64(v - '0'))}
			switch {
			case v == '.':
				r.Value = nil
			case v >= '7':
				r.Verdict = loop.Passed
			}
			st.Recent = append(st.Recent, loop.Attempt{N: i + 1, Verdict: loop.Failed, Results: []loop.Result{r}})
		}
		if got := st.Falls("coverage"); got != want {
			t.Errorf("%s: %d, want %d", values, got, want)
		}
	}
}

func TestBusNotices(t *testing.T) {
	t.Parallel()
	before, after := newState("a"), failing("a")
	after.Status, after.Reason = loop.Aborted, loop.Regression
	rows, err := busRows(before, after)
	must(t, err)
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
	}
	if diff := cmp.Diff([]string{"iteration", "iteration", "iteration", "abort"}, names); diff != "" {
		t.Error(diff)
	}
	if rows, err = busRows(after, after); err != nil || len(rows) != 0 {
		t.Errorf("nothing happened: %v, %v", rows, err)
	}
}

func TestLogOfAThousandLines(t *testing.T) {
	t.Parallel()
	s, dir, views := viewed(t)
	l := create(t, openTest(t, dir, Options{}), "a")
	var events []loop.Event
	for range 20_000 {
		events = append(events, loop.Ticked{Stamp: loop.Stamp{At: clock()}})
	}
	must(t, l.Commit(t.Context(), l.State(), events))
	must(t, s.RebuildViews(t.Context()))
	f, err := os.Open(filepath.Join(views, "log.jsonl"))
	must(t, err)
	defer f.Close()
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); n++ {
	}
	if n != 20_001 {
		t.Errorf("%d lines", n)
	}
}

// TestDifferingViewsBesideAWriter: views that lag behind because others write are no problem;
// views that stay behind are.
func TestDifferingViewsBesideAWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTest(t, filepath.Join(dir, "ralph"), Options{Views: filepath.Join(dir, ".ralph"), Owner: "test"})
	blind := openTest(t, filepath.Join(dir, "ralph"), Options{Owner: "test"}) // it writes no views
	l := create(t, blind, "a")
	if differ, err := s.DifferingViews(t.Context()); err != nil || len(differ) == 0 {
		t.Errorf("views that stay behind: %v, %v", differ, err)
	}
	differ, err := s.differingViews(t.Context(), func() { must(t, tick(t.Context(), l)) })
	if err != nil || len(differ) > 0 {
		t.Errorf("beside a writer: %v, %v", differ, err)
	}
}
