package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestAdvanceOverIgnored: files that the user's repository ignores are the user's too. Work
// that adds files in their place is refused, unless they are the same already.
func TestAdvanceOverIgnored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mine, adds string // path of the user's ignored file, and of the work's new one
		content    string
		refused    bool
	}{
		"the same path":              {"my.env", "my.env", "KEY=1\n", true},
		"the same content":           {"my.env", "my.env", "work\n", false},
		"a folder in the way":        {"out/deep/file", "out", "mine\n", true},
		"a file where a folder goes": {"out", "out/deep/file", "mine\n", true},
		"another file of a folder":   {"out/mine", "out/work", "mine\n", false},
		"the folder of git's files":  {"my.env", "deep", "mine\n", false},
		"a file of mine in it":       {"deep/my.env", "deep", "mine\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.write(f.dir, ".gitignore", "*.env\nout\n")
			f.write(f.dir, "deep/er/file", "git's\n")
			f.git("add", "-A")
			f.git("commit", "-q", "-m", "ignore")
			base := f.git("rev-parse", "HEAD")
			if c.adds == "deep" {
				f.git("rm", "-q", "-r", "deep")
			}
			f.write(f.dir, c.adds, "work\n")
			f.git("add", "-f", c.adds)
			next := f.git("commit-tree", "-p", base, "-m", "next", f.git("write-tree"))
			f.git("reset", "-q", "--hard", base)
			if err := os.RemoveAll(filepath.Join(f.dir, "out")); err != nil {
				t.Fatal(err)
			}
			f.write(f.dir, c.mine, c.content)
			err := f.AdvanceBranch(t.Context(), "main", next, base)
			if _, dirty := errors.AsType[ErrDirty](err); dirty != c.refused || err != nil && !dirty {
				t.Fatal(err)
			}
			if got := f.read(f.dir, c.mine); got != c.content {
				t.Errorf("the user's file is %q", got)
			}
			if tip := f.git("rev-parse", "main"); (tip == next) == c.refused {
				t.Errorf("main is at %s", tip)
			}
		})
	}
}
