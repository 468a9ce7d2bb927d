package git

import (
	"slices"
	"testing"
)

func TestMessagesAndAddedNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.git("commit", "-q", "--allow-empty", "-m", "first\n\nwith a body")
	f.write(f.dir, "gone ü.txt", "x\n")
	f.write(f.dir, "a.txt", "changed\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "second")
	f.git("mv", "gone ü.txt", "moved.txt")
	f.git("commit", "-q", "-m", "third", "--author", "Some One <one@x>")
	messages, cut, err := f.Messages(f.ctx(), f.base, "HEAD", 1<<20)
	if err != nil || cut || len(messages) != 3 {
		t.Fatalf("%+v, %v, %v", messages, cut, err)
	}
	if m := messages[0]; m.Message != "first\n\nwith a body\n" || m.Commit != f.git("rev-parse", "HEAD~2") {
		t.Errorf("%+v", m)
	}
	if m := messages[2]; m.Author != "Some One <one@x>" || m.Committer != f.git("log", "-1", "--format=%cn <%ce>") {
		t.Errorf("%+v", m)
	}
	names, cut, err := f.AddedNames(f.ctx(), f.base, "HEAD", 1<<20)
	if want := []string{"gone ü.txt", "moved.txt"}; err != nil || cut || !slices.Equal(names, want) {
		t.Errorf("%q, %v, %v", names, cut, err)
	}
	if _, cut, err = f.Messages(f.ctx(), f.base, "HEAD", 50); err != nil || !cut {
		t.Errorf("more than 50 bytes: cut %v, %v", cut, err)
	}
}

func TestCommitSnapshot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	seen, err := f.SnapshotTree(f.ctx(), "")
	if err != nil {
		t.Fatal(err)
	}
	commit, err := f.CommitSnapshot(f.ctx(), seen, Message{Text: "same"})
	if err != nil || commit != f.base {
		t.Errorf("a clean tree: %s, %v", commit, err)
	}
	f.write(f.dir, "new.txt", "n\n")
	f.write(f.dir, "x.cache", "ignored\n")
	if seen, err = f.SnapshotTree(f.ctx(), ""); err != nil {
		t.Fatal(err)
	}
	status := f.git("status", "--porcelain")
	if commit, err = f.CommitSnapshot(f.ctx(), seen, Message{Text: "check"}); err != nil {
		t.Fatal(err)
	}
	if got := f.git("diff-tree", "--name-status", "-r", f.base, commit); got != "A\tnew.txt" {
		t.Errorf("the commit has %q", got)
	}
	if f.git("status", "--porcelain") != status || f.git("rev-parse", "HEAD") != f.base {
		t.Error("the tree or its index changed")
	}
}
