package git

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// moving is a repository and a commit that changes, adds and removes files, among them a
// folder that becomes a file and a file with other line ends in the tree.
func moving(t *testing.T) (f *fixture, next string) {
	t.Helper()
	f = newFixture(t)
	f.write(f.dir, ".gitattributes", "*.crlf text eol=crlf\n")
	f.write(f.dir, "folder/one", "one\n")
	f.write(f.dir, "gone", "gone\n")
	f.write(f.dir, "z.txt", "z\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "more")
	f.base = f.git("rev-parse", "HEAD")
	if err := errors.Join(os.Remove(filepath.Join(f.dir, "gone")), os.RemoveAll(filepath.Join(f.dir, "folder"))); err != nil {
		t.Fatal(err)
	}
	f.write(f.dir, "folder", "a file\n")
	f.write(f.dir, "a.txt", "changed\n")
	f.write(f.dir, "new/deep/large.txt", strings.Repeat("large\n", 50_000))
	f.write(f.dir, "new/lines.crlf", "one\ntwo\nthree\n")
	f.write(f.dir, "z.txt", "zz\n")
	f.git("add", "-A")
	next = f.git("commit-tree", "-p", f.base, "-m", "next", f.git("write-tree"))
	f.git("reset", "-q", "--hard", f.base)
	return f, next
}

// Files that cannot be written are not the user's changes: what was written before is put
// back, and the same call moves the branch once there is room.
func TestAFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	f, next := moving(t)
	before := f.files()
	git := f.program
	f.program = f.script(f.home, "git", `case "$*" in *read-tree*-u*) trap "" XFSZ; ulimit -f 100;; esac; exec `+git+` "$@"`)
	err := f.AdvanceBranch(t.Context(), "main", next, f.base)
	e := asType[ErrNotWritten](err)
	if !e.PutBack || !slices.Equal(e.Paths, []string{"new/deep/large.txt"}) || len(asType[ErrDirty](err).Paths) > 0 {
		t.Fatalf("%+v", err)
	}
	if got := f.git("status", "--porcelain"); got != "" {
		t.Errorf("status: %s", got)
	}
	f.unchanged(before)
	if exists(filepath.Join(f.dir, "new")) || exists(filepath.Join(f.Repo.home().gitDir, "ralph-advance")) {
		t.Error("a folder or the mark stayed")
	}
	f.program = git
	f.moved(next)
}

// files are those of the user's tree.
func (f *fixture) files() map[string]string {
	all := f.content(f.dir)
	maps.DeleteFunc(all, func(name, _ string) bool { return strings.HasPrefix(name, ".git/") })
	return all
}

func (f *fixture) unchanged(before map[string]string) {
	f.t.Helper()
	if diff := cmp.Diff(before, f.files()); diff != "" {
		f.t.Errorf("files of the user (-before +after):\n%s", diff)
	}
}

// moved moves the branch, and expects the files of the commit.
func (f *fixture) moved(next string) {
	f.t.Helper()
	if err := f.AdvanceBranch(f.t.Context(), "main", next, f.base); err != nil {
		f.t.Fatal(err)
	}
	if got := f.git("status", "--porcelain"); got != "" || f.git("rev-parse", "main") != next {
		f.t.Errorf("status: %s", got)
	}
	if got := f.read(f.dir, "new/lines.crlf"); got != "one\r\ntwo\r\nthree\r\n" {
		f.t.Errorf("%q", got)
	}
}

// Where the files cannot be put back either, the same call completes them; what the user
// wrote in their place meanwhile is a change of the user's.
func TestFilesThatCannotBePutBack(t *testing.T) {
	t.Parallel()
	for _, edited := range []bool{false, true} {
		f, next := moving(t)
		git := f.program
		f.program = f.script(f.home, "git", `case "$*" in *read-tree*-u*) trap "" XFSZ; ulimit -f 100;; *checkout-index*) exit 3;; esac; exec `+git+` "$@"`)
		err := f.AdvanceBranch(t.Context(), "main", next, f.base)
		if e := asType[ErrNotWritten](err); e.PutBack || len(e.Paths) == 0 {
			t.Fatalf("%+v", err)
		}
		f.program = git
		f.write(f.dir, "new/lines.crlf", "one\r\ntw") // as git leaves it
		if !edited {
			f.moved(next)
			continue
		}
		f.write(f.dir, "a.txt", "the user's\n")
		err = f.AdvanceBranch(t.Context(), "main", next, f.base)
		if got := asType[ErrDirty](err).Paths; !slices.Equal(got, []string{"a.txt"}) || f.read(f.dir, "a.txt") != "the user's\n" {
			t.Errorf("%v", err)
		}
	}
}

// Changes that the user makes between ralph's look and git's are still those of the user.
func TestAChangeAtTheLastMoment(t *testing.T) {
	t.Parallel()
	f, next := moving(t)
	f.program = f.script(f.home, "git", `case "$*" in *read-tree*-u*) echo mine > "`+f.dir+`/z.txt";; esac; exec `+f.program+` "$@"`)
	err := f.AdvanceBranch(t.Context(), "main", next, f.base)
	if got := asType[ErrDirty](err).Paths; !slices.Equal(got, []string{"z.txt"}) || f.read(f.dir, "z.txt") != "mine\n" || f.git("diff", "--name-only") != "z.txt" {
		t.Errorf("%v, %s", err, f.git("status", "--porcelain"))
	}
}
