package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
)

// TestPlanPath: a name with a typing mistake is an error that names the nearest
// file; words are a task.
func TestPlanPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plan.md"), []byte("- [ ] a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "tests"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := &project.Opener{Terminal: command.Terminal{Streams: command.Streams{Dir: dir}}}
	for arg, hint := range map[string]string{
		"plan.mdd": "ralph run plan.md", "plna.md": "ralph run plan.md",
		".": "name the file", "tests": "name the file", "./tests": "name the file",
		"plans/shop": "name the file of a plan", "other.yaml": "name the file of a plan",
	} {
		_, err := PlanPath(a, arg)
		if f := exit.Classify(err); err == nil || f.Code != exit.Usage || !strings.HasPrefix(f.Hint, hint) {
			t.Errorf("%s: %v", arg, err)
		}
	}
	for _, task := range []string{"fix", "fix tests", "update to v1.2", "v1.25", "fix plan.md now", "https://example.org/issues/3.html"} {
		if path, err := PlanPath(a, task); path != "" || err != nil {
			t.Errorf("%s: %q, %v", task, path, err)
		}
	}
	if path, err := PlanPath(a, "plan.md"); err != nil || filepath.Base(path) != "plan.md" {
		t.Errorf("%q, %v", path, err)
	}
}
