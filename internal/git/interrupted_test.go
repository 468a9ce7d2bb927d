package git

import (
	"os"
	"path/filepath"
	"testing"
)

// Files that an interrupted move left empty or without a name are checked out again;
// the same files are the user's change where no move was interrupted.
func TestInterruptedAdvance(t *testing.T) {
	t.Parallel()
	for _, interrupted := range []bool{true, false} {
		f := newFixture(t)
		f.write(f.dir, "a.txt", "changed\n")
		f.write(f.dir, "new.txt", "new\n")
		f.git("add", "-A")
		next := f.git("commit-tree", "-p", f.base, "-m", "next", f.git("write-tree"))
		f.git("reset", "-q", "--hard", f.base)
		p := f.Repo.home()
		if interrupted {
			if err := advanceMark(p, next, f.base).begin(); err != nil {
				t.Fatal(err)
			}
		}
		f.write(f.dir, "a.txt", "")
		err := f.AdvanceBranch(t.Context(), "main", next, f.base)
		if dirty := len(asType[ErrDirty](err).Paths) > 0; dirty == interrupted {
			t.Fatalf("interrupted: %t: %v", interrupted, err)
		}
		if _, err := os.Lstat(filepath.Join(p.gitDir, "ralph-advance")); err == nil {
			t.Errorf("interrupted: %t: the mark stayed", interrupted)
		}
		if !interrupted {
			continue
		}
		if got := f.git("status", "--porcelain"); err != nil || got != "" || f.read(f.dir, "a.txt") != "changed\n" || f.read(f.dir, "new.txt") != "new\n" {
			t.Errorf("%v, %q", err, got)
		}
	}
}
