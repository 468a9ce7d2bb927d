package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// quarantined is a worktree on ralph/x with a quarantine repository.
func lent(t *testing.T) (f *fixture, tree, dir string) {
	t.Helper()
	f = newFixture(t)
	f.git("branch", "ralph/neighbour")
	tree = f.worktree("agent-1", "ralph/x")
	dir = f.QuarantineDir("x")
	if err := f.OpenQuarantine(f.ctx(), tree, dir, "ralph/x"); err != nil {
		t.Fatal(err)
	}
	return f, tree, dir
}

func (f *fixture) takeBack(tree string) Imported {
	f.t.Helper()
	got, err := f.ImportQuarantine(f.ctx(), tree, f.QuarantineDir("x"), "ralph/x")
	if err != nil {
		f.t.Fatal(err)
	}
	if out := f.tryGit(f.dir, "fsck", "--strict", "--no-dangling"); out.Code != 0 {
		f.t.Errorf("fsck: %s", out.Stderr)
	}
	if exists(f.QuarantineDir("x")) || exists(quarantineRecord(f.QuarantineDir("x"))) {
		f.t.Error("the lent repository is still there")
	}
	if f.gitIn(tree, "rev-parse", "--git-common-dir") != f.CommonDir {
		f.t.Error("the worktree does not lead to the repository")
	}
	return got
}

// everything lists the repository without quarantines and files that git may write while it reads.
func (f *fixture) everything() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(f.CommonDir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && path == filepath.Join(f.CommonDir, "ralph") {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			b, _ := os.ReadFile(path)
			all[path] = string(b)
		}
		return nil
	})
	return all
}

// Git in a quarantine changes nothing of the repository; commits, index and files are imported afterwards.
func TestQuarantineImportsCommits(t *testing.T) {
	t.Parallel()
	f, tree, _ := lent(t)
	before := f.everything()
	f.write(tree, "one.txt", "1\n")
	f.gitIn(tree, "add", ".")
	f.gitIn(tree, "commit", "-qm", "one")
	f.write(tree, "x.cache", "forced\n")
	f.gitIn(tree, "add", "-f", "x.cache")
	f.gitIn(tree, "rm", "-q", "--cached", "a.txt")
	f.gitIn(tree, "update-ref", "refs/heads/ralph/neighbour", "HEAD")
	f.gitIn(tree, "update-ref", "-d", "refs/heads/main")
	f.gitIn(tree, "config", "core.evil", "true")
	f.gitIn(tree, "gc", "-q", "--prune=now")
	if diff := cmp.Diff(before, f.everything()); diff != "" {
		t.Errorf("the repository was changed: %s", diff)
	}
	tip := f.gitIn(tree, "rev-parse", "HEAD")
	got := f.takeBack(tree)
	if got.Refused != "" || got.Moved != "" {
		t.Errorf("%+v", got)
	}
	if f.git("rev-parse", "ralph/x") != tip || f.git("rev-parse", "ralph/neighbour") != f.base || f.git("rev-parse", "main") != f.base {
		t.Error("branches are not where they belong")
	}
	if status := f.gitIn(tree, "status", "--porcelain"); status != "D  a.txt\nA  x.cache\n?? a.txt" {
		t.Errorf("the index did not come along: %q", status)
	}
	if again := f.takeBack(tree); again.Found {
		t.Errorf("it was taken back twice: %+v", again)
	}
}

func TestQuarantineWithoutWorkMovesNothing(t *testing.T) {
	t.Parallel()
	f, tree, _ := lent(t)
	before := f.everything()
	f.gitIn(tree, "status")
	got := f.takeBack(tree)
	if diff := cmp.Diff(Imported{Found: true}, got); diff != "" {
		t.Error(diff)
	}
	for path := range before {
		if now := f.everything()[path]; now != before[path] && filepath.Base(path) != "index" {
			t.Errorf("%s changed", path)
		}
	}
}

// An agent that leaves the branch keeps its commits; the branch does not move.
func TestQuarantineHeadElsewhere(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string][]string{"a branch": {"checkout", "-qb", "mine"}, "no branch": {"checkout", "-q", "--detach"}} {
		f, tree, _ := lent(t)
		f.gitIn(tree, leave...)
		f.write(tree, "one.txt", "1\n")
		f.gitIn(tree, "add", ".")
		f.gitIn(tree, "commit", "-qm", "one")
		tip := f.gitIn(tree, "rev-parse", "HEAD")
		f.takeBack(tree)
		head, err := f.HeadOf(f.ctx(), tree)
		if err != nil || head.Branch != "" || head.Commit != tip || f.git("rev-parse", "ralph/x") != f.base {
			t.Errorf("%s: %+v %v", name, head, err)
		}
	}
}

// Commits neither under HEAD nor on the branch are kept by refs of ralph's.
func TestQuarantineKeepsExtraRefs(t *testing.T) {
	t.Parallel()
	f, tree, _ := lent(t)
	f.gitIn(tree, "checkout", "-qb", "aside")
	f.gitIn(tree, "commit", "-q", "--allow-empty", "-m", "aside")
	aside := f.gitIn(tree, "rev-parse", "HEAD")
	f.gitIn(tree, "checkout", "-q", "ralph/x")
	f.write(tree, "a.txt", "stashed\n")
	f.gitIn(tree, "stash", "-q")
	stash := f.gitIn(tree, "rev-parse", "refs/stash")
	got := f.takeBack(tree)
	if len(got.ExtraRefs) != 2 || f.git("rev-parse", "refs/ralph/strays/x/aside") != aside || f.git("rev-parse", "refs/ralph/strays/x/stash") != stash {
		t.Errorf("%+v", got)
	}
	if f.tryGit(f.dir, "rev-parse", "-q", "--verify", "refs/stash").Code == 0 {
		t.Error("a stash came into the repository of the person")
	}
}

// Commits with missing or misnamed objects are not imported.
func TestQuarantineRefusesUnsoundCommits(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("0123456789abcdef", 1<<10)
	for name, damage := range map[string]func(f *fixture, tree, dir string){
		"a blob is missing": func(f *fixture, tree, dir string) {
			id := f.gitIn(tree, "rev-parse", "HEAD:one.txt")
			os.Remove(filepath.Join(dir, "objects", id[:2], id[2:]))
		},
		"a blob is another": func(f *fixture, tree, dir string) {
			one, two := f.gitIn(tree, "rev-parse", "HEAD:one.txt"), f.gitIn(tree, "rev-parse", "HEAD:two.txt")
			b, _ := os.ReadFile(filepath.Join(dir, "objects", two[:2], two[2:]))
			at := filepath.Join(dir, "objects", one[:2], one[2:])
			os.Remove(at)
			f.write(filepath.Dir(at), filepath.Base(at), string(b))
		},
		"HEAD names nothing": func(f *fixture, _, dir string) { f.write(dir, "HEAD", strings.Repeat("1", 40)+"\n") },
		"HEAD is noise":      func(f *fixture, _, dir string) { f.write(dir, "HEAD", big) },
		"no objects":         func(f *fixture, _, dir string) { os.RemoveAll(filepath.Join(dir, "objects")) },
		"all is gone":        func(f *fixture, _, dir string) { os.RemoveAll(dir) },
		"HEAD is a link": func(f *fixture, _, dir string) {
			os.Remove(filepath.Join(dir, "HEAD"))
			os.Symlink("/dev/zero", filepath.Join(dir, "HEAD"))
		},
	} {
		f, tree, dir := lent(t)
		f.write(tree, "one.txt", "1\n")
		f.write(tree, "two.txt", big)
		f.gitIn(tree, "add", ".")
		f.gitIn(tree, "commit", "-qm", "one")
		damage(f, tree, dir)
		got := f.takeBack(tree)
		if got.Refused == "" || f.git("rev-parse", "ralph/x") != f.base || f.read(tree, "one.txt") != "1\n" {
			t.Errorf("%s: %+v", name, got)
		}
		if id, made := f.commit(tree, CommitOptions{Branch: "ralph/x"}); !made || f.git("show", id+":two.txt")+"" != big {
			t.Errorf("%s: the files are not committed", name)
		}
	}
}

// An object of the repository is never replaced by one of the same name.
func TestQuarantineNeverReplaces(t *testing.T) {
	t.Parallel()
	f, tree, dir := lent(t)
	id := f.git("rev-parse", "HEAD:a.txt")
	f.write(tree, "evil.txt", "evil\n")
	evil := f.gitIn(tree, "hash-object", "-w", "evil.txt")
	b, _ := os.ReadFile(filepath.Join(dir, "objects", evil[:2], evil[2:]))
	f.write(filepath.Join(dir, "objects", id[:2]), id[2:], string(b))
	f.gitIn(tree, "add", ".")
	f.gitIn(tree, "commit", "-qm", "evil")
	f.takeBack(tree)
	if got := f.git("cat-file", "blob", id); got != "alpha" {
		t.Errorf("%q", got)
	}
}

// Many objects come as one pack.
func TestQuarantineImportsPacks(t *testing.T) {
	t.Parallel()
	f, tree, _ := lent(t)
	noise := make([]byte, 3<<20)
	for i := range noise {
		noise[i] = byte(i*i>>(i%7) ^ i>>9)
	}
	f.write(tree, "noise", string(noise))
	f.gitIn(tree, "-c", "core.compression=0", "add", ".")
	f.gitIn(tree, "-c", "core.compression=0", "commit", "-qm", "noise")
	if got := f.takeBack(tree); got.Refused != "" {
		t.Fatal(got)
	}
	if f.git("cat-file", "-s", "ralph/x:noise") != "3145728" {
		t.Error("not whole")
	}
}

// Another process moves or deletes the branch meanwhile: the loop's commit is on it again, and the other is kept.
func TestQuarantineBranchMovedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, work := range []bool{true, false} {
		f, tree, _ := lent(t)
		theirs, ours := f.git("commit-tree", "-p", "main", "-m", "theirs", "main^{tree}"), f.base
		if work {
			f.gitIn(tree, "commit", "-q", "--allow-empty", "-m", "ours")
			ours = f.gitIn(tree, "rev-parse", "HEAD")
		}
		f.git("update-ref", "refs/heads/ralph/x", theirs)
		got := f.takeBack(tree)
		head, err := f.HeadOf(f.ctx(), tree)
		if got.Moved != theirs || err != nil || head.Commit != ours || head.Branch != "ralph/x" {
			t.Errorf("work %v: %+v %+v %v", work, got, head, err)
		}
		if kept := f.git("for-each-ref", "--format=%(objectname)", "refs/ralph/strays/x"); kept != theirs {
			t.Errorf("kept %q", kept)
		}
	}
}

func TestQuarantineBranchDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	f, tree, _ := lent(t)
	f.git("update-ref", "-d", "refs/heads/ralph/x")
	if got := f.takeBack(tree); got.Moved != "" || f.git("rev-parse", "ralph/x") != f.base {
		t.Errorf("%+v", got)
	}
}

// The tree was deleted: its commits are on the branch all the same.
func TestQuarantineTreeGone(t *testing.T) {
	t.Parallel()
	f, tree, dir := lent(t)
	f.gitIn(tree, "commit", "-q", "--allow-empty", "-m", "one")
	tip := f.gitIn(tree, "rev-parse", "HEAD")
	os.RemoveAll(tree)
	got, err := f.ImportQuarantine(f.ctx(), tree, dir, "ralph/x")
	if err != nil || got.Refused != "" || f.git("rev-parse", "ralph/x") != tip {
		t.Errorf("%+v %v", got, err)
	}
}

// Killed at any point, a second call completes it.
func TestImportAfterKill(t *testing.T) {
	t.Parallel()
	f, tree, dir := lent(t)
	f.write(tree, "one.txt", "1\n")
	f.gitIn(tree, "add", ".")
	f.gitIn(tree, "commit", "-qm", "one")
	tip := f.gitIn(tree, "rev-parse", "HEAD")
	record, loan := f.read(filepath.Dir(dir), "git.lent"), filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(loan, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	f.takeBack(tree)
	// As before its last steps: all is there once more.
	if err := os.CopyFS(dir, os.DirFS(loan)); err != nil {
		t.Fatal(err)
	}
	f.write(filepath.Dir(dir), "git.lent", record)
	got := f.takeBack(tree)
	head, err := f.HeadOf(f.ctx(), tree)
	if err != nil || got.Refused != "" || head.Branch != "ralph/x" || head.Commit != tip {
		t.Errorf("%+v %+v %v", got, head, err)
	}
}

// A ralph started in a quarantine finds the repository.
func TestOpenFindsRepositoryFromQuarantine(t *testing.T) {
	t.Parallel()
	f, tree, _ := lent(t)
	r := f.open(tree)
	if r.CommonDir != f.CommonDir || r.Root != tree || r.MainRoot != f.dir {
		t.Errorf("%+v", r)
	}
	if place, ok := Discover(tree); !ok || place.CommonDir != f.CommonDir {
		t.Errorf("%+v", place)
	}
}

// An agent leaves the loop's branch in one run, and works on in the next: HEAD is on no
// branch then, and the commits of both are kept.
func TestQuarantineAfterTheBranchWasLeft(t *testing.T) {
	t.Parallel()
	f, tree, dir := lent(t)
	for n, file := range []string{"one", "two"} {
		if n > 0 {
			if err := f.OpenQuarantine(f.ctx(), tree, dir, "ralph/x"); err != nil {
				t.Fatal(err)
			}
		}
		f.gitIn(tree, "checkout", "-qb", "side-"+file)
		f.write(tree, file, "x\n")
		f.gitIn(tree, "add", file)
		f.gitIn(tree, "commit", "-qm", file)
		tip := f.gitIn(tree, "rev-parse", "HEAD")
		got := f.takeBack(tree)
		if head, err := f.HeadOf(f.ctx(), tree); got.Refused != "" || err != nil || head.Commit != tip {
			t.Errorf("%s: %+v, %+v, %v, want HEAD at %s", file, got, head, err, tip)
		}
	}
	if f.git("rev-parse", "ralph/x") != f.base {
		t.Error("the loop's branch has moved")
	}
}
