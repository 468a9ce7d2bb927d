package planner

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestReadAgentReport: the last object that is one counts; what is none says
// nothing.
func TestReadAgentReport(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]*agentReport{
		"":                        nil,
		"all done":                nil,
		`{"verdict": "approve"}`:  nil,
		`{"gaps": "not a list"}`:  nil,
		`{"gaps": ["a", "  b\n"]`: nil,
		`I did it. {"done": ["x"], "gaps": ["a", " b\n c "], "edge_cases": [""]} bye`: {Done: []string{"x"}, Gaps: []string{"a", "b c"}},
		`{"gaps": ["old"]} then {"gaps": ["new"]}`:                                    {Gaps: []string{"new"}},
		"```json\n{\"gaps\": [\"in a fence\"]}\n```":                                  {Gaps: []string{"in a fence"}},
		`{"gaps": ["outer {\"gaps\": [1]}"]}`:                                         {Gaps: []string{`outer {"gaps": [1]}`}},
	} {
		got, ok := readAgentReport(words)
		if ok != (want != nil) {
			t.Errorf("%q: found %t", words, ok)
			continue
		}
		if want == nil {
			continue
		}
		if d := cmp.Diff([][]string{want.Done, want.Gaps}, [][]string{got.Done, got.Gaps}); d != "" {
			t.Errorf("%q (-want +got):\n%s", words, d)
		}
	}
}

func FuzzReadAgentReport(f *testing.F) {
	f.Add(`{"gaps": ["a"]}`)
	f.Add(strings.Repeat("{", 500))
	f.Add("\xff{\"gaps\":[\"\xff\"]}")
	f.Fuzz(func(t *testing.T, words string) {
		h, _ := readAgentReport(words)
		for _, list := range [][]string{h.Gaps, h.EdgeCases, h.Blockers} {
			if len(list) > mostClaims {
				t.Errorf("%d claims", len(list))
			}
			for _, c := range list {
				if len(c) > mostClaim+20 || strings.ContainsAny(c, "\n\r") {
					t.Errorf("%q", c)
				}
			}
		}
	})
}

// TestOutputFile: an answer is committed inside of the tree, and never where git
// keeps its own.
func TestOutputFile(t *testing.T) {
	t.Parallel()
	for named, want := range map[string]string{
		"": "docs/p/task-1.md", "docs/spec.md": "docs/spec.md", "a/../b.md": "b.md", `docs\spec.md`: "docs/spec.md",
		"../x": "docs/p/task-1.md", "/etc/passwd": "docs/p/task-1.md", ".git/hooks/x": "docs/p/task-1.md", "a/../../x": "docs/p/task-1.md", "..": "docs/p/task-1.md",
	} {
		if got := outputFile("p", plan.Plan{}, plan.Task{ID: "Task 1", Output: named}); got != want {
			t.Errorf("%q becomes %q, want %q", named, got, want)
		}
	}
}

// TestPlanID: the same file is the same plan, files of one name in two folders
// are two, and every id can be one of a loop.
func TestPlanID(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, path := range []string{"/a/plan.md", "/b/plan.md", "/a/plan.json", "/a/ä.md", "/a/" + strings.Repeat("x", 300), "/"} {
		id := PlanID(path)
		longest := id + "-" + slug(strings.Repeat("t", 99), 20) + "-land-99"
		if loop.ValidID(longest) != nil || seen[id] || id != PlanID(path) {
			t.Errorf("%s: %s", path, longest)
		}
		seen[id] = true
	}
}

// TestMoveAsideLinked: a folder archived/ that is a link may lead anywhere.
func TestMoveAsideLinked(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "plan.md")
	if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Symlink(elsewhere, filepath.Join(dir, archiveDir))); err != nil {
		t.Fatal(err)
	}
	if now, err := moveAside(path); !errors.Is(err, errLinked) {
		t.Errorf("%s, %v", now, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// TestChildFile: a plan names plans of its repository only, also through links.
func TestChildFile(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"repo/.git", "repo/plans/archived", "alone"} {
		if err := os.MkdirAll(at(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"repo/plans/a.md", "repo/b.md", "repo/plans/archived/c.md", "other.md", "alone/d.md", "alone/e.md"} {
		if err := os.WriteFile(at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("other.md"), at("repo/plans/link.md")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		parent, name, want string
		err                error
	}{
		{"repo/plans/a.md", "../b.md", "repo/b.md", nil},
		{"repo/plans/a.md", "c.md", "repo/plans/archived/c.md", nil},
		{"repo/plans/a.md", at("repo/b.md"), "repo/b.md", nil},
		{"repo/plans/a.md", "../../other.md", "", ErrOutside},
		{"repo/plans/a.md", at("other.md"), "", ErrOutside},
		{"repo/plans/a.md", "link.md", "", ErrOutside},
		{"repo/plans/a.md", "nothing.md", "", fs.ErrNotExist},
		{"alone/d.md", "e.md", "alone/e.md", nil},
		{"alone/d.md", "../other.md", "", ErrOutside},
	} {
		got, err := ChildFile(at(c.parent), c.name)
		if c.want != "" {
			c.want = at(c.want)
		}
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s names %s: %s, %v", c.parent, c.name, got, err)
		}
	}
}

// TestMoveAside: a name that is taken is not taken again.
func TestMoveAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, want := range []string{"plan.md", "plan-2.md", "plan-3.md"} {
		path := filepath.Join(dir, "plan.md")
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		if now, err := moveAside(path); err != nil || now != filepath.Join(dir, archiveDir, want) {
			t.Fatalf("%s, %v", now, err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, archiveDir, want)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", want, got, err)
		}
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}
