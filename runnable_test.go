package ralph_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProgramsAreWritten: a test that writes a program itself, and runs it while
// another one starts a child, fails now and then: runnable.Write does not.
func TestProgramsAreWritten(t *testing.T) {
	t.Parallel()
	writes := regexp.MustCompile(`os\.WriteFile\(.*, 0o7\d\d\)`)
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		for i, line := range strings.Split(string(text), "\n") {
			if writes.MatchString(line) {
				t.Errorf("%s:%d: use runnable.Write for a file that can be run", path, i+1)
			}
		}
		return err
	})
	if err != nil || files < 200 {
		t.Fatalf("read the tests: %v (%d files)", err, files)
	}
}
