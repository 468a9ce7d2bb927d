//go:build unix

package migrate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// planted is a tree on the disk with one hostile file.
func planted(t *testing.T, plant func(dir, at string)) Seen {
	t.Helper()
	dir := t.TempDir()
	loops := filepath.Join(dir, "tree", ".agileflow", "sessions", "agent-loops")
	if err := os.MkdirAll(loops, 0o755); err != nil {
		t.Fatal(err)
	}
	good := []byte(`{"loop_id": "good", "quality_gate": "tests", "status": "running", "max_iterations": 2, "iteration": 1}`)
	for _, name := range []string{filepath.Join(loops, "good.json"), filepath.Join(dir, "outside.json")} {
		if err := os.WriteFile(name, good, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	plant(dir, filepath.Join(loops, "bad.json"))
	root, err := os.OpenRoot(filepath.Join(dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	return Look(root.FS())
}

func TestHostileFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plant func(dir, at string) error
		why   string
	}{
		"link out of the tree": {func(dir, at string) error { return os.Symlink(filepath.Join(dir, "outside.json"), at) }, "leads out of the tree"},
		"relative link out":    {func(_, at string) error { return os.Symlink("../../../../outside.json", at) }, "leads out of the tree"},
		"link to itself":       {func(_, at string) error { return os.Symlink("bad.json", at) }, "too many levels"},
		"pipe":                 {func(_, at string) error { return syscall.Mkfifo(at, 0o600) }, "is not a regular file"},
		"a terabyte of nothing": {func(_, at string) error {
			if err := os.WriteFile(at, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(at, 1<<40)
		}, "is larger than 8 MiB"},
		"nested deep": {func(_, at string) error { return os.WriteFile(at, []byte(strings.Repeat(`{"a":`, 1<<16)), 0o600) }, "exceeded max depth"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := planted(t, func(dir, at string) {
				if err := c.plant(dir, at); err != nil {
					t.Fatal(err)
				}
			})
			if len(seen.Problems) != 1 || !strings.Contains(seen.Problems[0].Why, c.why) || !strings.HasSuffix(seen.Problems[0].Path, "bad.json") {
				t.Errorf("problems: %v", seen.Problems)
			}
			if len(seen.Found) != 1 || seen.Found[0].ID != "good" || seen.Folders[0].Whole {
				t.Errorf("found %+v in %+v", seen.Found, seen.Folders)
			}
		})
	}
}

func TestALinkedFolderIsNotFollowedOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, d := range []string{"tree", "elsewhere/ralph"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../elsewhere", filepath.Join(dir, "tree", ".aiwg")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if seen := Look(root.FS()); len(seen.Found) > 0 {
		t.Errorf("%+v", seen)
	}
}

// TestManyIterations: the count is kept, of the records the newest.
func TestManyIterations(t *testing.T) {
	t.Parallel()
	var list []map[string]any
	for n := range 6239 {
		list = append(list, map[string]any{"iteration": n + 1, "passed": false, "output": "x"})
	}
	data, err := json.Marshal(map[string]any{"loopId": "long", "task": "t", "status": "running", "iterations": list})
	if err != nil {
		t.Fatal(err)
	}
	f, lost, err := ParseAiwg(data)
	if err != nil {
		t.Fatal(err)
	}
	f.Lost = lost
	s := f.Adopt(spec("long"), now())
	if s.Iteration != 6239 || len(s.Recent) != mostAttempts || s.Recent[0].N != 5240 || s.Limits.MaxIterations != 6244 {
		t.Errorf("%d attempts from %d, iteration %d of %d", len(s.Recent), s.Recent[0].N, s.Iteration, s.Limits.MaxIterations)
	}
	if s.Recent[0].Results[0].Excerpt != "" || s.Recent[mostAttempts-1].Results[0].Excerpt == "" {
		t.Error("the output of old attempts is kept, or that of the newest is not")
	}
	if got := fmt.Sprint(f.Losses()); !strings.Contains(got, "the oldest 5239 of 6239") {
		t.Error(got)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"npm test": "npm test", "npm test passes": "npm test", "`make check`": "make check", "npx tsc --noEmit exits with code 0": "npx tsc --noEmit",
		"go test ./... must pass.": "go test ./...", "./run.sh && npm run lint": "./run.sh && npm run lint", "CI=1 npm test": "CI=1 npm test",
		`grep -q "and is the" README`: `grep -q "and is the" README`, "true": "true",
		"": "", "All tests are green": "", "npm test and npm run lint": "", "npm test passes with >80% coverage": "", "coverage above 80%": "",
		"rm -rf /": "", "make\nrm -rf /": "", "the build works": "", "`make` and `make check`": "", "curl x | sh": "",
	} {
		f := Found{Completion: in}
		if got, ok := f.Command(); ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q %t, want %q", in, got, ok, want)
		}
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"/x/.aiwg/ralph": "/x [aiwg]", "/x/.aiwg/ralph/loops/a/state.json": "/x [aiwg]", "/x/.aiwg": "/x [aiwg aiwg-external]",
		"/x/.aiwg/ralph-external/": "/x [aiwg-external]", "/.claude": "/ [claude]", "/x/y/.agileflow": "/x/y [agileflow]",
		"/x/.ralph_state.md": "/x [ralph-state]", "/x": "", "/x/.aiwg/ralphs": "",
	} {
		got := ""
		if root, kinds, ok := Place(in); ok {
			got = fmt.Sprintf("%s %v", root, kinds)
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	if len(Traces()) < 6 || !slices.Contains(Kinds(), Claude) {
		t.Error(Traces(), Kinds())
	}
}

// TestNames: what is taken, or cannot be a name, gets another one.
func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	for id, want := range map[string][]string{
		"fine": {"fine", "fine-2", "fine-3"}, long: {long, strings.Repeat("a", 62) + "-2", strings.Repeat("a", 62) + "-3"},
		"../Evil Ümlaut": {"aiwg-evil-mlaut-", "aiwg-evil-mlaut-", "aiwg-evil-mlaut-"},
	} {
		f := Found{Kind: Aiwg, ID: id, Source: "s"}
		n := 0
		for name := range f.Names() {
			if !strings.HasPrefix(name, want[n]) {
				t.Errorf("%s: got %s, want %s", id, name, want[n])
			}
			if n++; n == len(want) {
				break
			}
		}
	}
}
