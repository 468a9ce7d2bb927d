package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (f *fixture) paths(commit string) []string {
	f.t.Helper()
	files, err := f.ListTree(f.ctx(), commit)
	if err != nil {
		f.t.Fatal(err)
	}
	var names []string
	for _, x := range files {
		names = append(names, x.Path)
	}
	return names
}

// A folder can become a link to another one: git refuses to look at its files then.
func TestCommitFolderThatBecameALink(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	if err := os.Rename(filepath.Join(wt, "dir"), filepath.Join(wt, "other")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other", filepath.Join(wt, "dir")); err != nil {
		t.Fatal(err)
	}
	id, made := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	if paths := f.paths(id); !made || !slices.Contains(paths, "dir") || !slices.Contains(paths, "other/b.txt") || slices.Contains(paths, "dir/b.txt") {
		t.Errorf("%q", paths)
	}
}

func TestCommitTakesAllButOurOwnAndIgnored(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	for _, name := range []string{
		"new.txt", "deep/er/x", "sp ace \t\"quote\".txt", "line\nbreak", "-dash", "emoji-🙂", "bad-\xff", ":(top)magic", "*", "sub/.ralph/kept",
		".ralph/state.json", ".ralph_state.md", ".ralph_state/x", "warm.cache",
	} {
		f.write(wt, name, name)
	}
	f.write(wt, "bin", "\x00\x01\xff")
	if err := os.Symlink("/nowhere", filepath.Join(wt, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(wt, "a.txt")); err != nil {
		t.Fatal(err)
	}
	f.write(wt, "dir/b.txt", "changed\n")
	id, made := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	if !made {
		t.Fatal("nothing made")
	}
	want := []string{
		".gitignore", "new.txt", "deep/er/x", "sp ace \t\"quote\".txt", "line\nbreak", "-dash", "emoji-🙂", "bad-\xff", ":(top)magic", "*",
		"sub/.ralph/kept", "bin", "link", "dir/b.txt",
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, f.paths(id)); diff != "" {
		t.Error(diff)
	}
	again, made := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	if made || again != id {
		t.Errorf("second commit: %s, made %v", again, made)
	}
	if got := f.git("rev-parse", "ralph/w"); got != id {
		t.Errorf("branch at %s", got)
	}
	if got := f.gitIn(wt, "status", "--porcelain"); !strings.Contains(got, ".ralph") || strings.Contains(got, "new.txt") {
		t.Errorf("status after commit:\n%s", got)
	}
	if got := f.git("log", "-1", "--format=%an <%ae>", id); got != "Ada <ada@example.org>" {
		t.Errorf("author %s", got)
	}
}

func TestCommitWithoutIdentity(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.home, ".gitconfig", "")
	f.Repo = f.open(f.dir)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "x")
	id, _, err := both(f.Commit(t.Context(), wt, Message{Text: "m", Time: time.Unix(1700000000, 0)}, CommitOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	log, err := f.Log(t.Context(), f.base, id, 0)
	if err != nil || len(log) != 1 {
		t.Fatal(log, err)
	}
	if log[0].Author != "ralph" || log[0].Email != "ralph@localhost" || log[0].Time.Unix() != 1700000000 {
		t.Errorf("%+v", log[0])
	}
}

func TestCommitFindsHiddenChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.gitIn(wt, "update-index", "--assume-unchanged", "a.txt")
	f.gitIn(wt, "update-index", "--skip-worktree", "dir/b.txt")
	f.write(wt, "a.txt", "hidden\n")
	f.write(wt, "dir/b.txt", "hidden\n")
	id, _ := f.commit(wt, CommitOptions{})
	changes, err := f.ChangedFiles(t.Context(), f.base, id)
	if diff := cmp.Diff([]Change{{"M", "a.txt"}, {"M", "dir/b.txt"}}, changes); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestCommitLeavesStagedStateFilesOut(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, ".ralph/x", "x")
	f.write(wt, "y", "y")
	f.gitIn(wt, "add", "-Af", ".")
	id, _ := f.commit(wt, CommitOptions{})
	if got := f.paths(id); slices.Contains(got, ".ralph/x") || !slices.Contains(got, "y") {
		t.Errorf("%q", got)
	}
	if again, made := f.commit(wt, CommitOptions{}); made || again != id {
		t.Error("the unfinished merge is still there")
	}
}

func TestCommitKeepsTheAgentsOwn(t *testing.T) {
	t.Parallel()
	for name, agent := range map[string]func(f *fixture, wt string){
		"on the branch": func(f *fixture, wt string) {},
		"detached":      func(f *fixture, wt string) { f.gitIn(wt, "checkout", "-q", "--detach") },
		"other branch":  func(f *fixture, wt string) { f.gitIn(wt, "checkout", "-q", "-b", "mine") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			wt := f.worktree("w", "ralph/w")
			agent(f, wt)
			f.write(wt, "own", "own")
			f.gitIn(wt, "add", "-A")
			f.gitIn(wt, "commit", "-q", "-m", "own")
			own := f.gitIn(wt, "rev-parse", "HEAD")
			id, made := f.commit(wt, CommitOptions{Branch: "ralph/w"})
			if id != own || made {
				t.Errorf("commit %s, made %v; the agent's is %s", id, made, own)
			}
			f.write(wt, "rest", "rest")
			id, made = f.commit(wt, CommitOptions{Branch: "ralph/w"})
			if got := f.git("rev-parse", "ralph/w", "ralph/w~1"); got != id+"\n"+own || !made {
				t.Errorf("branch %s", got)
			}
			if h, err := f.HeadOf(t.Context(), wt); err != nil || h.Branch != "ralph/w" || h.Commit != id {
				t.Errorf("head %+v, %v", h, err)
			}
		})
	}
}

// An agent that diverged from its branch, or was killed inside a rebase, must
// not cost the branch its commits.
func TestCommitLosesNothingOfTheBranch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "first", "first")
	tip, _ := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	f.gitIn(wt, "checkout", "-q", "--detach", f.base)
	f.write(wt, "second", "second")
	f.gitIn(wt, "add", "-A")
	f.gitIn(wt, "commit", "-q", "-m", "second")
	own := f.gitIn(wt, "rev-parse", "HEAD")
	id, _ := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	if got := f.git("log", "-1", "--format=%P", id); got != own+" "+tip {
		t.Errorf("parents %s, want %s %s", got, own, tip)
	}
	if got := f.paths(id); slices.Contains(got, "first") || !slices.Contains(got, "second") {
		t.Errorf("content is not the tree's: %q", got)
	}
}

func TestCommitEndsAHalfDoneMerge(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "a.txt", "ours\n")
	f.gitIn(wt, "commit", "-qam", "ours")
	f.gitIn(wt, "checkout", "-q", "-b", "other", f.base)
	f.write(wt, "a.txt", "theirs\n")
	f.gitIn(wt, "commit", "-qam", "theirs")
	f.gitIn(wt, "checkout", "-q", "ralph/w")
	f.tryGit(wt, "merge", "other")
	id, made := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	if !made {
		t.Fatal("nothing made")
	}
	if got := f.gitIn(wt, "status", "--porcelain"); got != "" {
		t.Errorf("status: %s", got)
	}
	if f.tryGit(wt, "rev-parse", "-q", "--verify", "MERGE_HEAD").Code == 0 {
		t.Error("the merge is still going on")
	}
	if b, err := f.FileAt(t.Context(), id, "a.txt"); err != nil || !strings.Contains(string(b), "<<<<<<<") {
		t.Errorf("%q, %v", b, err)
	}
}

func TestCommitSkipsNestedRepositories(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "nested/x", "x")
	f.gitIn(filepath.Join(wt, "nested"), "init", "-q") // no commit: "git add -A" dies of it
	f.write(wt, "y", "y")
	id, _ := f.commit(wt, CommitOptions{})
	if got := f.paths(id); !slices.Contains(got, "y") || slices.Contains(got, "nested") {
		t.Errorf("%q", got)
	}
	d, err := f.Dirty(t.Context(), wt)
	if diff := cmp.Diff(Dirty{Nested: []string{"nested"}}, d); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestCommitAfterTheAgentBrokeGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	evil := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "x")
	admin := f.adminDir(wt)
	// Every trail out of the tree leads to another repository now.
	f.write(wt, ".git", "gitdir: "+filepath.Join(evil.dir, ".git")+"\n")
	f.write(admin, "commondir", filepath.Join(evil.dir, ".git")+"\n")
	f.write(admin, "index.lock", "")
	before := evil.user()
	id, made := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	if got := f.git("rev-parse", "ralph/w"); !made || got != id {
		t.Errorf("commit %s, made %v, branch at %s, in the other repository at %s", id, made, got, evil.tryGit(evil.dir, "rev-parse", "ralph/w").Stdout)
	}
	if diff := cmp.Diff(before, evil.user()); diff != "" {
		t.Error(diff)
	}
}

func TestCommitInPlace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.write(f.dir, "staged", "staged")
	f.git("add", "staged")
	f.write(f.dir, "a.txt", "changed\n")
	f.git("stash", "list")
	before := f.user()
	o := CommitOptions{Branch: "ralph/here", InPlace: true}
	id, made := f.commit("", o)
	if !made {
		t.Fatal("nothing made")
	}
	if again, made := f.commit(f.dir, o); made || again != id {
		t.Errorf("second: %s, %v", again, made)
	}
	if diff := cmp.Diff(before, f.user()); diff != "" {
		t.Error(diff)
	}
	f.write(f.dir, "more", "more")
	next, _ := f.commit("", o)
	if got := f.git("rev-parse", next+"^"); got != id {
		t.Errorf("parent %s, want %s", got, id)
	}
	if _, _, err := both(f.Commit(t.Context(), "", Message{}, CommitOptions{Branch: "main", InPlace: true})); err == nil {
		t.Error("moved the user's checked-out branch")
	}
	if _, _, err := both(f.Commit(t.Context(), f.dir, Message{}, CommitOptions{Branch: "ralph/here"})); err == nil {
		t.Error("committed in the user's tree as if it were ours")
	}
}

// It looks at the folder for temporary files, so it has one of its own, and
// runs before the parallel tests.
func TestSnapshotLeavesNoTrace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x", "x")
	f.write(wt, ".ralph_state.md", "s")
	f.gitIn(wt, "rm", "-q", "a.txt")
	index := f.read(f.adminDir(wt), "index")
	id, err := f.Snapshot(t.Context(), wt, f.base, Message{Text: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".gitignore", "dir/b.txt", "x"}, f.paths(id)); diff != "" {
		t.Error(diff)
	}
	if index != f.read(f.adminDir(wt), "index") {
		t.Error("the index changed")
	}
	tree, err := f.TreeHash(t.Context(), wt)
	if want, err2 := f.TreeOf(t.Context(), id); err != nil || err2 != nil || tree != want {
		t.Errorf("TreeHash %s, %v; tree of snapshot %s, %v", tree, err, want, err2)
	}
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "ralph-index-*"))
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestTrailers(t *testing.T) {
	t.Parallel()
	text := withTrailers("subject\n\nbody: no trailer here\n", []Trailer{{LoopTrailer, "a\nRalph-Task: forged"}, {"Ralph-Task", "t"}})
	want := []Trailer{{LoopTrailer, "a Ralph-Task: forged"}, {"Ralph-Task", "t"}}
	if diff := cmp.Diff(want, Trailers(text)); diff != "" {
		t.Error(diff)
	}
	if got := withTrailers("a \x1b[31mred\u202e title\x00\x07", []Trailer{{LoopTrailer, "\x1b]0;x\x07y"}}); strings.ContainsAny(got, "\x00\x07\x1b\u202e") {
		t.Errorf("control characters: %q", got)
	}
	for _, none := range []string{"", "one", "a\n\nnot a trailer", "a: b"} {
		if got := Trailers(none); got != nil {
			t.Errorf("%q: %v", none, got)
		}
	}
}

// TestCommitWithAWrongEncoding: attributes that call files what they are not lose no
// work, and change nothing about other files.
func TestCommitWithAWrongEncoding(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "gone.txt", "gone")
	f.commit(wt, CommitOptions{Branch: "ralph/w"})
	f.write(wt, ".gitattributes", "*.txt working-tree-encoding=UTF-16\n")
	f.write(wt, "wide.txt", "\xff\xfea\x00b\x00")
	f.write(wt, "ascii.txt", "ascii")
	f.write(wt, "other", "other")
	if err := errors.Join(os.Symlink("ascii.txt", filepath.Join(wt, "link.txt")), os.Remove(filepath.Join(wt, "gone.txt"))); err != nil {
		t.Fatal(err)
	}
	id, made := f.commit(wt, CommitOptions{Branch: "ralph/w"})
	if !made {
		t.Fatal("nothing was committed")
	}
	if got := f.git("ls-tree", "--name-only", id); strings.Contains(got, "gone.txt") || !strings.Contains(got, "link.txt") {
		t.Errorf("files: %s", got)
	}
	for name, want := range map[string]string{"ascii.txt": "ascii", "wide.txt": "ab", "other": "other", "link.txt": "ascii.txt"} {
		if got := f.git("cat-file", "blob", id+":"+name); got != want {
			t.Errorf("%s holds %q", name, got)
		}
	}
}
