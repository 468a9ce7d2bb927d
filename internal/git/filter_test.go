package git

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lfsLike stores *.big reversed and marked, as a stand-in for LFS.
func lfsLike(f *fixture) {
	clean := f.script(f.home, "clean", "echo clean >> "+f.home+"/ran\nsed 's/^/stored:/'")
	smudge := f.script(f.home, "smudge", "echo smudge >> "+f.home+"/ran\nsed 's/^stored://'")
	f.gitIn(f.home, "config", "--global", "filter.lfs.clean", clean)
	f.gitIn(f.home, "config", "--global", "filter.lfs.smudge", smudge)
	f.gitIn(f.home, "config", "--global", "filter.lfs.required", "true")
	f.write(f.dir, ".gitattributes", "*.big filter=lfs -text\n")
	f.write(f.dir, "x.big", "content\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "lfs")
	f.base = f.git("rev-parse", "HEAD")
}

func TestNamedFiltersRunAsCaptured(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	lfsLike(f)
	frozen, err := f.open(f.dir).CaptureFilters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := json.Marshal(frozen) // as a restarted ralph has it
	if err != nil {
		t.Fatal(err)
	}
	var back Filters
	if err := json.Unmarshal(stored, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(frozen, back); diff != "" {
		t.Error(diff)
	}
	f.Repo = f.open(f.dir).WithFilters(back)
	wt, gate := f.worktree("w", "ralph/w"), f.worktree("gate", "")
	if got := f.read(wt, "x.big"); got != "content\n" {
		t.Errorf("worktree has %q", got)
	}
	// The agent redefines the filter, and another one, for the whole machine
	// and for the repository. Neither runs.
	evil := f.script(f.home, "evil", "touch "+f.home+"/evil-ran; cat")
	for _, scope := range []string{"--global", "--local"} {
		for _, key := range []string{"filter.lfs.clean", "filter.lfs.smudge", "filter.more.clean", "filter.more.process"} {
			f.git("config", scope, key, evil)
		}
	}
	f.write(wt, ".gitattributes", "*.big filter=lfs -text\n*.more filter=more\n")
	f.write(wt, "x.big", "new\n")
	f.write(wt, "y.more", "plain\n")
	id, _ := f.commit(wt, CommitOptions{})
	for path, want := range map[string]string{"x.big": "stored:new\n", "y.more": "plain\n"} {
		if b, err := f.FileAt(t.Context(), id, path); err != nil || string(b) != want {
			t.Errorf("%s is %q, %v", path, b, err)
		}
	}
	if err := f.CheckoutDetached(t.Context(), gate, id); err != nil {
		t.Fatal(err)
	}
	if got := f.read(gate, "x.big") + f.read(gate, "y.more"); got != "new\nplain\n" {
		t.Errorf("gate has %q", got)
	}
	if exists(filepath.Join(f.home, "evil-ran")) {
		t.Error("a filter of the agent's ran")
	}
	f.git("config", "filter.lfs.process", evil)
	if err := f.CheckoutDetached(t.Context(), gate, f.base); asType[ErrFilterChanged](err).Name != "lfs" {
		t.Errorf("process added: %v", err)
	}
	if exists(filepath.Join(f.home, "evil-ran")) {
		t.Error("the added process ran")
	}
}

func TestAMissingFilterIsSaid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	lfsLike(f)
	f.write(f.dir, "deep/.gitattributes", "# filter=comment\n*.c filter=crypt diff=x\n")
	f.git("add", "-A")
	f.git("commit", "-q", "-m", "crypt")
	f.gitIn(f.home, "config", "--global", "--remove-section", "filter.lfs")
	_, err := f.open(f.dir).CaptureFilters(t.Context())
	if diff := cmp.Diff([]string{"crypt", "lfs"}, asType[ErrMissingFilter](err).Names); diff != "" {
		t.Errorf("%v%s", err, diff)
	}
}

// TestAMissingFilterProgramIsSaid: a filter whose program is not installed is refused, whether it
// is required or not; what the shell resolves is not examined.
func TestAMissingFilterProgramIsSaid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	lfsLike(f)
	if _, err := f.open(f.dir).CaptureFilters(t.Context()); err != nil {
		t.Fatal(err)
	}
	for command, missing := range map[string]string{
		"ralph-no-such-filter clean -- %f": "ralph-no-such-filter",
		f.home + "/none %f":                f.home + "/none",
		"git ralph-no-such-filter":         "",
		"command ralph-no-such-filter":     "",
		"X=1 ralph-no-such-filter":         "",
		"./scripts/clean %f":               "",
		"$HOME/clean %f":                   "",
		"-v":                               "",
	} {
		for _, required := range []string{"true", "false"} {
			f.gitIn(f.home, "config", "--global", "filter.lfs.required", required)
			for key, other := range map[string]string{"clean": "smudge", "smudge": "clean"} {
				f.gitIn(f.home, "config", "--global", "filter.lfs."+other, "cat")
				f.gitIn(f.home, "config", "--global", "filter.lfs."+key, command)
				_, err := f.open(f.dir).CaptureFilters(t.Context())
				if asType[ErrFilterProgram](err).Program != missing || missing == "" && err != nil {
					t.Errorf("%s: %v", command, err)
				}
			}
		}
	}
}

func TestContentSettingsAreFrozen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.gitIn(f.home, "config", "--global", "core.excludesFile", "~/ignored")
	f.write(f.home, "ignored", "*.tmp\n")
	f.Repo = f.open(f.dir)
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "x.tmp", "x")
	f.write(wt, "y", "crlf\r\n")
	if d, err := f.Dirty(t.Context(), wt); err != nil || d.Untracked != 1 {
		t.Errorf("the user's own ignore file is not used: %+v, %v", d, err)
	}
	f.git("config", "core.autocrlf", "input")
	id, _ := f.commit(wt, CommitOptions{})
	if b, _ := f.FileAt(t.Context(), id, "y"); string(b) != "crlf\r\n" {
		t.Errorf("content %q", b)
	}
}

func TestReading(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	wt := f.worktree("w", "ralph/w")
	f.write(wt, "a.txt", "one\ntwo\n")
	f.write(wt, "bin", "\x00\x01")
	f.write(wt, "odd\nname", "x\n")
	id, _, err := both(f.Commit(ctx, wt, Message{Text: "subject\n\nbody", Trailers: []Trailer{{LoopTrailer, "l"}}}, CommitOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := f.DiffStat(ctx, f.base, id); err != nil || s != (Stat{3, 3, 1}) {
		t.Errorf("%+v, %v", s, err)
	}
	if b, err := f.FileAt(ctx, id, "odd\nname"); err != nil || string(b) != "x\n" {
		t.Errorf("%q, %v", b, err)
	}
	for _, none := range []string{"none", "dir", "", "../a.txt", "a.txt\x00"} {
		if _, err := f.FileAt(ctx, id, none); err == nil {
			t.Errorf("read %q", none)
		}
	}
	for _, rev := range []string{"none", "", "-x", "--all", "a b", "HEAD:a.txt", "main\x00"} {
		if _, err := f.ResolveCommit(ctx, rev); err == nil {
			t.Errorf("resolved %q", rev)
		}
	}
	patch, cut, err := f.Diff(ctx, f.base, id, 10)
	if err != nil || !cut || len(patch) != 10 {
		t.Errorf("diff %q, cut %v, %v", patch, cut, err)
	}
	log, err := f.Log(ctx, f.base, id, 0)
	if err != nil || len(log) != 1 || log[0].Subject() != "subject" || log[0].Parents[0] != f.base || log[0].ID != id {
		t.Errorf("%+v, %v", log, err)
	}
	text, err := f.CommitMessage(ctx, id)
	if err != nil || trailer(text, LoopTrailer) != "l" || !strings.HasPrefix(text, "subject\n\nbody\n\n") {
		t.Errorf("%q, %v", text, err)
	}
	if base, err := f.MergeBase(ctx, f.base, id); err != nil || base != f.base {
		t.Errorf("%s, %v", base, err)
	}
	bare := filepath.Join(f.home, "bare.git")
	f.git("clone", "-q", "--bare", f.dir, bare)
	b := f.open(bare)
	tree := filepath.Join(f.root, "frombare")
	if err := b.AddWorktree(ctx, Worktree{Path: tree, Branch: "ralph/b", Commit: f.base}); err != nil {
		t.Fatal(err)
	}
	f.write(tree, "x", "x")
	if _, made, err := both(b.Commit(ctx, tree, Message{Text: "m"}, CommitOptions{})); err != nil || !made {
		t.Errorf("commit from a bare repository: %v, %v", made, err)
	}
}
