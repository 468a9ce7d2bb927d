package launch

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"ralph/internal/cli/project"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// TestIDOf: whole words, none that carries no meaning, never nothing.
func TestIDOf(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		"Fix the failing tests": "fix-failing-tests",
		"please make it so":     "please-make-it-so",
		"🚀":                     "task",
		"Internationalization of everything we have":            "internationalization",
		"Pneumonoultramicroscopicsilicovolcanoconiosis is long": "pneumonoultramicroscopic",
	} {
		if got := IDWords(task); got != want {
			t.Errorf("%q: %s, want %s", task, got, want)
		}
	}
}

// TestLoopIDsAreNotTaken: an id that a loop, an archived one or a branch has is not
// given out again, also where all short ones are gone.
func TestLoopIDsAreNotTaken(t *testing.T) {
	t.Parallel()
	p := project.At(git.Location{CommonDir: t.TempDir(), MainRoot: t.TempDir()})
	for _, dir := range []string{filepath.Join(p.Home, "loops"), filepath.Join(p.Home, "archive"), filepath.Join(p.Place.CommonDir, "refs", "heads", "ralph")} {
		if err := os.MkdirAll(filepath.Join(dir, "x-1a2b"), 0o700); err != nil {
			t.Fatal(err)
		}
		if !taken(p, "x-1a2b") || taken(p, "x-1a2c") {
			t.Errorf("%s is not looked at", dir)
		}
		if err := os.Remove(filepath.Join(dir, "x-1a2b")); err != nil {
			t.Fatal(err)
		}
	}
	id, err := LoopID(p, "x", "")
	if err != nil || !regexp.MustCompile(`^x-[0-9a-f]{4}$`).MatchString(id) || loop.ValidID(id) != nil {
		t.Errorf("%s, %v", id, err)
	}
}
