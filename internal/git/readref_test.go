package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever is read without a process is what git says; of what is damaged, linked or
// packed in another format nothing is read.
func TestReadsWhatGitReads(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			f := emptyFixture(t)
			if err := os.RemoveAll(filepath.Join(f.dir, ".git")); err != nil {
				t.Fatal(err)
			}
			f.git("init", "-q", "--object-format="+format)
			f.write(f.dir, "a.txt", "alpha\n")
			f.git("add", "-A")
			f.Repo = f.open(f.dir)
			if _, ok := f.readHead(f.Repo.home()); ok {
				t.Error("read a commit of a branch that has none")
			}
			f.git("commit", "-q", "-m", "base")
			f.base = f.git("rev-parse", "HEAD")
			f.git("branch", "loose/one")
			f.git("branch", "packed/one")
			f.git("branch", "both/one")
			f.git("tag", "-a", "-m", "x", "annotated")
			f.git("pack-refs", "--all")
			f.git("commit", "-q", "--allow-empty", "-m", "more")
			f.git("branch", "-f", "both/one")
			f.git("branch", "-f", "loose/one")
			f.git("symbolic-ref", "refs/heads/symbolic", "refs/heads/packed/one")
			f.git("worktree", "add", "-q", "-b", "elsewhere", filepath.Join(f.root, "w"))
			f.git("worktree", "add", "-q", "--detach", filepath.Join(f.root, "d"))
			f.compareRefs(t)
			for _, tree := range []string{f.dir, filepath.Join(f.root, "w"), filepath.Join(f.root, "d")} {
				f.compareHead(t, tree, true)
			}
			f.git("gc", "-q")
			f.compareRefs(t)
			f.git("checkout", "-q", "symbolic")
			f.compareHead(t, f.dir, false)
		})
	}
}

// compareRefs compares each way to read a ref with git's own answer.
func (f *fixture) compareRefs(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	for _, name := range []string{"main", "loose/one", "packed/one", "both/one", "symbolic", "elsewhere", "none", "loose", "loose/one/more", "one"} {
		ref := heads + name
		want := string(f.tryGit(f.dir, "rev-parse", "--verify", "--quiet", ref).Stdout)
		got := f.readRef(ref)
		// Where a file is in the place of a folder, git decides.
		if got.sure && got.id != strings.TrimSpace(want) || !got.sure && name != "loose/one/more" {
			t.Errorf("%s: read %+v, git says %q", ref, got, want)
		}
		if id, err := f.RefCommit(ctx, ref); err != nil || id != strings.TrimSpace(want) {
			t.Errorf("%s: commit %q, %v; git says %q", ref, id, err, want)
		}
		at := f.git("for-each-ref", "--format=%(objectname) %(worktreepath)", ref)
		if strings.Contains(at, "\n") || name == "loose" || name == "symbolic" {
			continue // a folder of refs; a HEAD names the branch, not what leads to it
		}
		tip, where, err := f.branch(ctx, name)
		if have := strings.TrimSpace(tip + " " + where); err != nil || have != strings.TrimSpace(at) {
			t.Errorf("%s: %q, %v; git says %q", name, have, err, at)
		}
	}
	all, ok := f.allRefs(func(ref string) bool { return strings.HasPrefix(ref, heads+"loose/") })
	want := strings.Split(f.git("for-each-ref", "--format=%(objectname) %(refname)"), "\n")
	want = slices.DeleteFunc(want, func(line string) bool { return strings.Contains(line, " refs/heads/loose/") })
	if !ok {
		t.Error("not all refs could be read")
	} else if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(all), "\n")); diff != "" {
		t.Error(diff)
	}
	tag := f.git("rev-parse", "annotated^{commit}")
	if id, err := f.RefCommit(ctx, "refs/tags/annotated"); err != nil || id != tag {
		t.Errorf("annotated tag: %q, %v; git says %q", id, err, tag)
	}
	for _, rev := range []string{"HEAD", "HEAD~1"} {
		commit := f.git("rev-parse", rev)
		tree, err := f.open(f.dir).TreeOf(ctx, commit)
		if want := f.git("rev-parse", rev+"^{tree}"); err != nil || tree != want {
			t.Errorf("tree of %s: %q, %v; git says %q", rev, tree, err, want)
		}
	}
}

func (f *fixture) compareHead(t *testing.T, tree string, read bool) {
	t.Helper()
	p, err := f.at(tree)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.readHead(p); ok != read {
		t.Errorf("%s: HEAD read without git: %v", tree, ok)
	}
	h, err := f.head(t.Context(), p)
	said := f.gitIn(tree, "rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
	name := "HEAD"
	if h.Branch != "" {
		name = heads + h.Branch
	}
	if err != nil || h.Commit+"\n"+name != said {
		t.Errorf("%s: %+v, %v; git says %q", tree, h, err, said)
	}
}

func TestDamageIsLeftToGit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	file := func(name string) string { return filepath.Join(f.CommonDir, filepath.FromSlash(name)) }
	f.git("update-ref", "refs/heads/ralph/packed", f.base)
	f.git("pack-refs", "--all")
	for name, text := range map[string]string{
		"empty": "", "zeros": strings.Repeat("\x00", 41), "half": f.base[:20] + "\n", "no-end": f.base, "spaces": f.base + " \n",
		"words": "not a commit\n", "two": f.base + "\n" + f.base + "\n", "to-nothing": "ref: \n", "out": "ref: ../../x\n",
		"own": "ref: refs/worktree/x\n", "loop": "ref: refs/heads/ralph/loop\n", "packed": "",
	} {
		f.write(f.CommonDir, "refs/heads/ralph/"+name, text)
		if got := f.readRef("refs/heads/ralph/" + name); got.sure {
			t.Errorf("%s: read %+v", name, got)
		}
		if _, ok := f.allRefs(func(string) bool { return false }); ok {
			t.Errorf("%s: read all refs", name)
		}
	}
	f.write(f.CommonDir, "refs/heads/ralph/big", f.base+strings.Repeat(" ", 1<<13)+"\n")
	if err := os.Symlink(file("refs/heads/main"), file("refs/heads/ralph/link")); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"refs/heads/ralph/big", "refs/heads/ralph/link", "HEAD", "refs/heads/../x", "refs/worktree/x"} {
		if got := f.readRef(ref); got.sure && ref != "refs/worktree/x" {
			t.Errorf("%s: read %+v", ref, got)
		}
	}
	// A commit that a power cut damaged is none.
	missing := strings.Repeat("1", 40)
	f.write(f.CommonDir, "refs/heads/ralph/missing", missing+"\n")
	if id, err := f.RefCommit(ctx, "refs/heads/ralph/missing"); err != nil || id != "" {
		t.Errorf("a ref to nothing: %q, %v", id, err)
	}
	object := file("objects/" + f.base[:2] + "/" + f.base[2:])
	whole, err := os.ReadFile(object)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.looseTree(f.base); !ok {
		t.Error("a whole commit is not read")
	}
	if err := os.Chmod(object, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"empty": nil, "half": whole[:len(whole)/2], "zeros": make([]byte, len(whole))} {
		if err := os.WriteFile(object, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if tree, ok := f.looseTree(f.base); ok {
			t.Errorf("%s: tree %q of a damaged commit", name, tree)
		}
	}
	other := f.git("hash-object", "-t", "tree", "-w", "/dev/null")
	if _, ok := f.looseTree(other); ok {
		t.Error("a tree is taken for a commit")
	}
	if f.write(f.CommonDir, "config", string(readSmall(file("config")))+"[extensions]\n\trefStorage = reftable\n"); f.plainRefs() {
		t.Error("another format of refs is taken for files")
	}
}
