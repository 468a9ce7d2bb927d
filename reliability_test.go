package ralph_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	goTest   = regexp.MustCompile("`(Test\\w+)`")
	scenario = regexp.MustCompile("`(\\w+\\.txtar)`")
)

// TestFaultMatrix: each row of the fault matrix names tests that exist, so that none of
// its promises outlives the test that shows it.
func TestFaultMatrix(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	known := declaredTests(t)
	rows := 0
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| case ") {
			continue
		}
		rows++
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := cells[len(cells)-1]
		names := append(goTest.FindAllStringSubmatch(last, -1), scenario.FindAllStringSubmatch(last, -1)...)
		if len(names) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, name := range names {
			if !known[name[1]] {
				t.Errorf("there is no %s: %s", name[1], line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows found: does this test still read the table?", rows)
	}
}

// declaredTests are the names of all Go tests and scenarios.
func declaredTests(t *testing.T) map[string]bool {
	known := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir("internal", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, ".txtar"):
			known[filepath.Base(path)] = true
		case strings.HasSuffix(path, "_test.go"):
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declared.FindAllSubmatch(src, -1) {
				known[string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}
