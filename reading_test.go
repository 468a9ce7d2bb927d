package ralph_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadingOrder holds the table of where to begin reading to the files below internal
// that it names.
func TestReadingOrder(t *testing.T) {
	t.Parallel()
	_, page, _ := strings.Cut(read(t, "ARCHITECTURE.md"), "## Where to begin reading")
	_, page, _ = strings.Cut(page, "|---|")
	page, _, _ = strings.Cut(page, "\n## ")
	paths := regexp.MustCompile("`([a-z]+/[\\w./-]+\\.go)`").FindAllStringSubmatch(page, -1)
	for _, m := range paths {
		if _, err := os.Stat(filepath.Join("internal", m[1])); err != nil {
			t.Errorf("ARCHITECTURE.md: %v", err)
		}
	}
	if len(paths) < 20 {
		t.Errorf("only %d paths: does this test still see them?", len(paths))
	}
}
