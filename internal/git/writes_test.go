package git

import (
	"path/filepath"
	"testing"

	"ralph/internal/disk"
)

// TestWrites: a branch "ralph", which is a file, is no directory in which nothing can be
// written: branches below it cannot be made, and no wait changes that.
func TestWrites(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, c := range []struct{ branch, want string }{{"ralph", "heads"}, {"ralph/a", filepath.Join("heads", "ralph")}} {
		if c.branch == "ralph/a" {
			f.git("branch", "-D", "ralph")
		}
		f.git("branch", c.branch)
		all := f.Writes()
		if dir, why := disk.Unusable(all...); why != nil || all[len(all)-1] != filepath.Join(f.CommonDir, "refs", c.want) {
			t.Errorf("%s: %s cannot be written: %v; %v", c.branch, dir, why, all)
		}
	}
}
