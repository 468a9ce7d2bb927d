package git

import (
	"crypto/sha1" //nolint:gosec // the checksum of an index
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/runnable"
)

// poolTricks are those of tricks that an agent has too, and more: what the loop before
// can leave in the tree of its agent.
func poolTricks() map[string]func(f *fixture, tree string) {
	all := tricks()
	delete(all, "sparse") // in a sparse repository the tree of an agent is sparse
	all["forged entry"] = forge
	all["hard link"] = func(f *fixture, tree string) {
		if err := os.Link(filepath.Join(tree, "a.txt"), filepath.Join(f.home, "linked")); err != nil && !os.IsExist(err) {
			f.t.Fatal(err)
		}
	}
	all["other bits of the mode"] = func(_ *fixture, tree string) { os.Chmod(filepath.Join(tree, "a.txt"), 0o666|os.ModeSetuid) }
	all["repository in a tracked folder"] = func(f *fixture, tree string) { f.gitIn(filepath.Join(tree, "dir"), "init", "-q") }
	all["hidden by its own rule"] = func(f *fixture, tree string) {
		f.write(tree, "dir/.gitignore", "*\n")
		f.write(tree, "dir/hidden.go", "x")
	}
	all["attributes"] = func(f *fixture, tree string) {
		f.write(tree, "dir/.gitattributes", "* text eol=crlf\n")
		f.write(tree, "dir/.gitignore", "*\n")
		os.Remove(filepath.Join(tree, "dir/b.txt"))
	}
	all["attributes at the top"] = func(f *fixture, tree string) { f.write(tree, ".gitattributes", "* text eol=crlf\n") }
	all["other rules"] = func(f *fixture, tree string) {
		f.write(tree, ".gitignore", "*\n!.gitignore\n")
		f.write(tree, "left.go", "x")
	}
	all["tracked and ignored"] = func(f *fixture, tree string) {
		f.write(tree, "forced.cache", "x")
		f.gitIn(tree, "add", "-f", "forced.cache")
		f.gitIn(tree, "commit", "-qm", "forced")
	}
	all["ignored in the way"] = func(f *fixture, tree string) { f.write(tree, "next.cache", "mine") }
	return all
}

// forge lets the index say that a changed file is the one that was checked out.
func forge(f *fixture, tree string) {
	file := filepath.Join(tree, "a.txt")
	f.write(tree, "a.txt", "ALPHA\n")
	var st syscall.Stat_t
	x, err := readIndex(f.adminDir(tree), 20)
	if err != nil || syscall.Lstat(file, &st) != nil {
		return
	}
	for _, e := range x.entries {
		if e.path != "a.txt" {
			continue
		}
		info, _ := os.Lstat(file)
		changed := changeTime(info)
		for at, n := range map[int]int64{
			atCTime: changed.Unix(), atCTime + 4: int64(changed.Nanosecond()),
			atMTime: info.ModTime().Unix(), atMTime + 4: int64(info.ModTime().Nanosecond()),
			atInode: int64(st.Ino), atSize: info.Size(),
		} {
			binary.BigEndian.PutUint32(e.raw[at:], uint32(n))
		}
	}
	body := x.data[:len(x.data)-sha1.Size]
	sum := sha1.Sum(body) //nolint:gosec // see the import
	index := filepath.Join(f.adminDir(tree), "index")
	if err := os.WriteFile(index, append(body, sum[:]...), 0o600); err != nil {
		f.t.Fatal(err)
	}
	later := x.mtime.Add(10e9) // no entry seems to be written together with the index
	os.Chtimes(index, later, later)
}

// Whatever the loop before left in the tree of an agent, the next one finds its commit
// and files that git ignores, in the same process, in another one, and after a start of
// the machine.
func TestNothingStaysOfTheLoopBefore(t *testing.T) {
	t.Parallel()
	for name, trick := range poolTricks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, _ := gateFixture(t)
			f.write(f.dir, "next.cache", "next")
			f.git("add", "-f", "next.cache")
			f.git("commit", "-qm", "next")
			next := f.git("rev-parse", "HEAD")
			f.memory()
			tree := f.worktree("agent", "ralph/first")
			frozen, err := f.CaptureFilters(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := f.expected()
			for i, step := range []struct {
				restart, boot bool
				commit        string
			}{{commit: f.base}, {commit: next}, {restart: true, commit: f.base}, {boot: true, commit: next}} {
				f.write(tree, "warm.cache", "warm")
				if err := f.Detach(t.Context(), tree); err != nil {
					t.Fatal(err)
				}
				trick(f, tree)
				r := f.Repo
				if step.restart || step.boot {
					r = f.open(f.dir).WithFilters(frozen)
				}
				if step.boot {
					os.RemoveAll(filepath.Join(f.CommonDir, "ralph", "seals"))
				}
				err := r.EnsureWorktree(t.Context(), Worktree{Path: tree, Commit: f.base})
				if err == nil {
					err = r.Switch(t.Context(), tree, "ralph/"+string(rune('a'+i)), step.commit)
				}
				if err != nil {
					t.Fatal(err)
				}
				delete(want, "next.cache")
				if step.commit == next {
					want["next.cache"] = "-rw next"
				} else if i == 0 && name == "ignored in the way" {
					want["next.cache"] = "-rw mine" // ignored files stay
				}
				if diff := cmp.Diff(want, f.content(tree)); diff != "" {
					t.Fatalf("step %d (-commit +tree):\n%s", i, diff)
				}
				f.soundFile(tree, "a.txt", step.boot)
				if marks := f.gitIn(tree, "ls-files", "-v", "a.txt"); marks != "H a.txt" {
					t.Errorf("step %d: mark %q stays", i, marks)
				}
				f.tryGit(f.dir, "branch", "-D", "mine")
				f.tryGit(f.dir, "replace", "-d", f.git("rev-parse", "HEAD:a.txt"))
				os.RemoveAll(filepath.Join(f.home, "dir"))
			}
		})
	}
}

// soundFile checks that a file has one name and the bits of a new one. After a start of
// the machine only its content and the bits that git never sets are known.
func (f *fixture) soundFile(tree, name string, boot bool) {
	f.t.Helper()
	var st syscall.Stat_t
	if err := syscall.Lstat(filepath.Join(tree, name), &st); err != nil {
		f.t.Fatal(err)
	}
	if st.Mode&0o7000 != 0 || !boot && (st.Nlink != 1 || st.Mode&0o022 != 0) {
		f.t.Errorf("%s has %d names and mode %o", name, st.Nlink, st.Mode)
	}
}

// counted lets the repository note the commands of git that it runs.
func (f *fixture) counted(r *Repo) func() []string {
	f.t.Helper()
	log, program := filepath.Join(f.home, "git.log"), filepath.Join(f.home, "counted-git")
	body := "#!/bin/sh\necho \"$2\" >>'" + log + "'\nexec '" + r.program + "' \"$@\"\n"
	if err := runnable.Write(program, body); err != nil {
		f.t.Fatal(err)
	}
	r.program = program
	return func() []string {
		data, _ := os.ReadFile(log)
		os.Remove(log)
		return slices.DeleteFunc(strings.Fields(string(data)), func(s string) bool { return s == "config" || s == "update-ref" })
	}
}

// A start from the pool writes what differs between two commits; the files are looked at
// without git.
func TestCommandsOfAStartFromThePool(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.many(100)
	next := f.newCommit("next")
	f.memory()
	tree, gate := f.worktree("agent", "ralph/one"), f.worktree("gate", "")
	r := f.open(f.dir)
	ran := f.counted(r)
	check := func(what string, err error, want ...string) {
		t.Helper()
		if got := ran(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: git %q, want %q (%v)", what, got, want, err)
		}
	}
	leave := func(one *Repo) {
		t.Helper()
		for _, path := range []string{tree, gate} {
			f.advanceClock(one, path)
			if err := one.Detach(t.Context(), path); err != nil {
				t.Fatal(err)
			}
		}
		ran()
	}
	leave(f.Repo)
	check("another commit", r.Switch(t.Context(), tree, "ralph/two", next), "read-tree")
	check("gate, another commit", r.CheckoutDetached(t.Context(), gate, next), "read-tree")
	leave(r)
	check("gate, the same commit", r.CheckoutDetached(t.Context(), gate, next))
	f.write(tree, "a.txt", "work\n")
	f.write(tree, "new.txt", "work\n")
	f.write(tree, "warm.cache", "warm")
	f.write(tree, ":(glob)*.cache", "warm")
	f.write(tree, "left", "x")
	if _, _, err := both(r.Commit(t.Context(), tree, Message{Text: "work"}, CommitOptions{Branch: "ralph/two"})); err != nil {
		t.Fatal(err)
	}
	leave(r)
	check("after work", r.Switch(t.Context(), tree, "ralph/three", f.base), "read-tree", "checkout-index", "check-ignore")
	if got := f.gitIn(tree, "status", "--porcelain", "--ignored"); got != "!! :(glob)*.cache\n!! warm.cache" {
		t.Errorf("status %q", got)
	}
	f.write(tree, "dir/one/left", "x")
	f.write(tree, "dir/one/more.cache", "x")
	f.write(tree, "two", "x")
	leave(r)
	check("what is not tracked", r.Switch(t.Context(), tree, "ralph/four", f.base), "check-ignore", "clean")
	if got := f.gitIn(tree, "status", "--porcelain", "--ignored"); got != "!! :(glob)*.cache\n!! dir/one/\n!! warm.cache" {
		t.Errorf("status %q", got)
	}
}

// advanceClock makes a seal as it is where the clock has ticked since the files were
// written.
func (f *fixture) advanceClock(r *Repo, tree string) {
	f.t.Helper()
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	s, ok := r.known.seals[f.adminDir(tree)]
	if !ok {
		f.t.Fatalf("%s has no seal", tree)
	}
	s.unsure = false
	r.known.seals[f.adminDir(tree)] = s
}

// A seal that a power cut tore, or of an earlier start of the machine, counts for nothing.
func TestSealOfAnotherTime(t *testing.T) {
	t.Parallel()
	s := seal{commit: strings.Repeat("a", 40), index: []byte("DIRC\n\n"), mtime: time.Unix(1, 2), unsure: true}
	whole := s.bytes()
	if got, ok := parseSeal(whole); !ok || got.commit != s.commit || string(got.index) != string(s.index) || !got.unsure || !got.mtime.Equal(s.mtime) {
		t.Errorf("%+v, %v", got, ok)
	}
	for n := range len(whole) {
		torn := append(slices.Clone(whole[:n]), make([]byte, len(whole)-n)...)
		if _, ok := parseSeal(torn); ok {
			t.Errorf("torn after %d bytes", n)
		}
	}
	if _, ok := parseSeal(resigned(strings.Replace(string(whole), bootID(), "another", 1))); ok {
		t.Error("of another start")
	}
}

// A seal goes with its worktree.
func TestSealGoesWithItsWorktree(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.memory()
	trees := map[string]string{}
	for _, name := range []string{"one", "two", "three"} {
		trees[name] = f.worktree(name, "ralph/"+name)
		if err := f.Detach(t.Context(), trees[name]); err != nil {
			t.Fatal(err)
		}
	}
	seals := func() (names []string) {
		all, err := os.ReadDir(f.sealDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			names = append(names, e.Name())
		}
		return names
	}
	if got := seals(); !slices.Equal(got, []string{"one", "three", "two"}) {
		t.Fatalf("seals %q", got)
	}
	if err := f.RetireWorktree(t.Context(), f.root, trees["one"]); err != nil {
		t.Fatal(err)
	}
	f.git("worktree", "remove", "--force", trees["two"])
	f.write(f.sealDir(), "two.half", "")
	f.SweepScratch()
	if got := seals(); !slices.Equal(got, []string{"three"}) {
		t.Errorf("seals %q", got)
	}
}

// resigned gives a seal the digest of what it holds.
func resigned(text string) []byte {
	_, rest, _ := strings.Cut(text, "\n")
	sum := sha256.Sum256([]byte(rest))
	return []byte(hex.EncodeToString(sum[:]) + "\n" + rest)
}
