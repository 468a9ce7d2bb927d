package git

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// hostile sets every way we know in which a repository runs code in the git of
// any git that works on it. Each leaves a line in the marker file.
func hostile(f *fixture) (marker string) {
	f.t.Helper()
	marker = filepath.Join(f.home, "ran")
	evil := func(name string) string {
		return f.script(f.home, "evil-"+name, "echo "+name+" >> "+marker+"\ncat >/dev/null 2>&1 </dev/null\nexit 1")
	}
	for _, hook := range []string{
		"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout", "post-merge", "pre-rebase",
		"post-index-change", "reference-transaction", "post-rewrite", "pre-merge-commit", "applypatch-msg", "fsmonitor-watchman",
	} {
		f.script(f.dir, ".git/hooks/"+hook, "echo hook-"+hook+" >> "+marker+"\nexit 1")
	}
	set := map[string]string{
		"core.fsmonitor": evil("fsmonitor"), "core.editor": evil("editor"), "sequence.editor": evil("seqeditor"),
		"core.pager": evil("pager"), "pager.log": evil("pagerlog"), "pager.status": evil("pagerstatus"),
		"core.sshCommand": evil("ssh"), "core.askPass": evil("askpass"), "credential.helper": "!" + evil("credential"),
		"core.alternateRefsCommand": evil("alternates"), "diff.external": evil("extdiff"),
		"diff.evil.command": evil("diffcommand"), "diff.evil.textconv": evil("textconv"),
		"merge.evil.driver": evil("mergedriver") + " %O %A %B", "merge.default": "evil",
		"filter.evil.clean": evil("clean"), "filter.evil.smudge": evil("smudge"), "filter.evil.process": evil("process"),
		"filter.evil.required": "true", "filter.unnamed.clean": evil("unnamed"),
		"commit.gpgSign": "true", "tag.gpgSign": "true", "gpg.program": evil("gpg"), "log.showSignature": "true",
		"alias.status": "!" + evil("alias"), "alias.commit": "!" + evil("alias"), "interactive.diffFilter": evil("difffilter"),
		"hook.evil.command": evil("confighook"), "hook.evil.event": "post-index-change",
		"trailer.evil.command": evil("trailer"), "trailer.evil.ifmissing": "add",
		"core.untrackedCache": "true", "core.splitIndex": "true", "status.submoduleSummary": "true",
		"color.ui": "always", "diff.noprefix": "true", "status.showUntrackedFiles": "no", "diff.renames": "copies",
		"core.quotePath": "true", "commit.cleanup": "verbatim", "submodule.recurse": "true", "gc.auto": "1",
		"core.safecrlf": "true", "protocol.ext.allow": "always", "remote.origin.url": "ext::" + evil("transport"),
		"remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none",
	}
	for k, v := range set {
		f.git("config", k, v)
	}
	f.write(f.home, "included", "[filter \"second\"]\n\tclean = "+evil("included")+"\n[core]\n\tfsmonitor = "+evil("included2")+"\n")
	f.git("config", "include.path", filepath.Join(f.home, "included"))
	f.write(f.dir, ".git/info/attributes", "* filter=evil diff=evil merge=evil\n*.txt filter=second diff=evil merge=evil\n")
	os.Remove(marker)
	return marker
}

// exercise calls every exported method at least once and returns their names.
// Two of them fail on purpose; what counts is what ran.
func exercise(f *fixture) map[string]bool {
	f.t.Helper()
	t, ctx := f.t, f.ctx()
	called := map[string]bool{}
	do := func(name string, err error) {
		t.Helper()
		called[name] = true
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := f.open(f.dir)
	wt, gate := filepath.Join(f.root, "agent"), filepath.Join(f.root, "gate")
	spec := Worktree{Path: wt, Branch: "ralph/x", Commit: f.base}
	_, err := r.Head(ctx)
	do("Head", err)
	_, err = r.ResolveCommit(ctx, "main")
	do("ResolveCommit", err)
	_, err = r.Dirty(ctx, "")
	do("Dirty", err)
	do("AddWorktree", r.AddWorktree(ctx, spec))
	do("EnsureWorktree", r.EnsureWorktree(ctx, spec))
	do("AddWorktree", r.AddWorktree(ctx, Worktree{Path: gate, Commit: f.base}))
	f.write(wt, "a.txt", "changed\n")
	f.write(wt, "new.txt", "new\n")
	f.write(wt, "tests/t.txt", "t\n")
	c, made, err := both(r.Commit(ctx, wt, Message{Text: "m", Trailers: []Trailer{{LoopTrailer, "l1"}}}, CommitOptions{Branch: "ralph/x"}))
	do("Commit", err)
	if !made {
		t.Error("commit: nothing made")
	}
	_, err = r.HeadOf(ctx, wt)
	do("HeadOf", err)
	_, err = r.Ignored(ctx, []string{"a.txt", "none"})
	do("Ignored", err)
	_, err = r.BranchOf(ctx, wt)
	do("BranchOf", err)
	f.write(wt, "a.txt", "again\n")
	snap, err := r.Snapshot(ctx, wt, c, Message{Text: "failed", Trailers: []Trailer{{LoopTrailer, "l1"}}})
	do("Snapshot", err)
	_, err = r.CommitContent(ctx, snap, Message{Text: "again"}, f.base)
	do("CommitContent", err)
	do("UpdateRef", r.UpdateRef(ctx, "refs/ralph/checkpoints/l1/1", snap, ""))
	_, err = r.OwnRefs(ctx, "refs/ralph/")
	do("OwnRefs", err)
	do("DropOwnRefs", r.DropOwnRefs(ctx, "refs/ralph/checkpoints/l1"))
	if len(r.Writes()) == 0 {
		t.Error("writes: nothing")
	}
	called["Writes"] = true
	r.SweepScratch()
	do("SweepScratch", nil)
	_, err = r.Variant(ctx, f.base, []Edit{{Path: "a.txt", Mode: "100644", Data: []byte("other\n")}})
	do("Variant", err)
	if len(r.BrokenRefs()) > 0 || r.DropBrokenRef("refs/heads/main") {
		t.Error("a sound ref is called broken")
	}
	do("BrokenRefs", nil)
	if len(r.StaleLocks(time.Now().Add(-time.Hour))) > 0 {
		t.Error("a lock is stale")
	}
	do("StaleLocks", nil)
	if lock := r.KilledAdvance(); lock != "" {
		t.Error(lock, "is that of a killed move")
	}
	do("KilledAdvance", nil)
	do("DropBrokenRef", nil)
	_, err = r.TreeHash(ctx, "")
	do("TreeHash", err)
	r.ReadAhead(ctx)
	do("ReadAhead", nil)
	seen, err := r.SnapshotTree(ctx, "")
	do("SnapshotTree", err)
	_, err = r.CommitSnapshot(ctx, seen, Message{Text: "seen"})
	do("CommitSnapshot", err)
	_, err = r.ChangedSince(ctx, "", seen)
	do("ChangedSince", err)
	_, ok := r.RootOf(wt)
	if do("RootOf", nil); !ok {
		t.Error("a linked worktree is not found")
	}
	_, err = r.FailureRef(ctx, Failure{Loop: "l1", Task: "x", Time: time.Unix(0, 0), Commit: snap})
	do("FailureRef", err)
	do("CheckoutDetached", r.CheckoutDetached(ctx, gate, c))
	_, err = r.RestoreFrom(ctx, gate, f.base, []string{"**/*.txt"})
	do("RestoreFrom", err)
	do("CheckoutDetached", r.CheckoutDetached(ctx, gate, f.base))
	_, err = r.IgnoredFiles(ctx, gate)
	do("IgnoredFiles", err)
	left, err := r.Inventory(ctx, gate)
	do("Inventory", err)
	_, err = r.KeepOnly(ctx, gate, f.base, left)
	do("KeepOnly", err)
	do("CleanIgnored", r.CleanIgnored(ctx, gate))
	_, err = r.IsAncestor(ctx, f.base, c)
	do("IsAncestor", err)
	_, err = r.MergeBase(ctx, f.base, c)
	do("MergeBase", err)
	_, err = r.DiffStat(ctx, f.base, c)
	do("DiffStat", err)
	_, _, err = r.Patches(ctx, f.base, c, 1<<20)
	do("Patches", err)
	_, _, err = r.Messages(ctx, f.base, c, 1<<20)
	do("Messages", err)
	_, _, err = r.AddedNames(ctx, f.base, c, 1<<20)
	do("AddedNames", err)
	patch, _, err := r.Diff(ctx, f.base, c, 0)
	do("Diff", err)
	if !strings.Contains(string(patch), "+++ b/new.txt") || strings.Contains(string(patch), "\x1b") {
		t.Errorf("diff is not plain:\n%s", patch)
	}
	_, err = r.ChangedFiles(ctx, f.base, c)
	do("ChangedFiles", err)
	_, err = r.FileAt(ctx, c, "new.txt")
	do("FileAt", err)
	files, err := r.ListTree(ctx, c)
	do("ListTree", err)
	_, err = r.Blob(ctx, files[0].ID)
	do("Blob", err)
	_, err = r.HasSubmodules(ctx, c)
	do("HasSubmodules", err)
	_, err = r.Submodules(ctx, f.dir)
	do("Submodules", err)
	_, err = r.Registered(ctx)
	do("Registered", err)
	_, err = r.FiltersOf(ctx, c)
	do("FiltersOf", err)
	_, err = r.TreeOf(ctx, c)
	do("TreeOf", err)
	do("CheckWhole", r.CheckWhole(ctx, c))
	tree, err := r.TreeNamed(ctx, c+":dir")
	do("TreeNamed", err)
	do("Unpack", r.Unpack(ctx, tree, f.t.TempDir()))
	_, err = r.Log(ctx, f.base, c, 0)
	do("Log", err)
	_, err = r.CommitMessage(ctx, c)
	do("CommitMessage", err)
	do("CreateBranch", r.CreateBranch(ctx, "ralph/y", c))
	do("StartBranch", r.StartBranch(ctx, "started", f.base))
	do("UpdateRef", r.UpdateRef(ctx, "refs/heads/ralph/y", f.base, c))
	_, err = r.RefCommit(ctx, "refs/heads/ralph/y")
	do("RefCommit", err)
	_, err = r.Blobs(ctx, nil)
	do("Blobs", err)
	_, err = r.RemoteURL(ctx, "origin")
	do("RemoteURL", err)
	do("ArchiveBranch", r.ArchiveBranch(ctx, "ralph/y", "archive/y"))
	do("DeleteRef", r.DeleteRef(ctx, "refs/heads/archive/y", f.base))
	do("CreateBranch", r.CreateBranch(ctx, "ralph/spare", f.base))
	spare, err := r.Branches(ctx, "ralph/spare")
	do("Branches", err)
	where, err := r.CheckedOut(ctx, "ralph/spare")
	do("CheckedOut", err)
	held, err := r.HeldBesides(ctx, f.base, map[string]bool{"ralph/spare": true})
	do("HeldBesides", err)
	_, err = r.HeldBelow(ctx, f.base, "refs/ralph/heads", nil)
	do("HeldBelow", err)
	if len(spare) != 1 || spare[0] != (Branch{"ralph/spare", f.base}) || where != "" || !held {
		f.t.Errorf("branches %v, checked out in %q, held %v", spare, where, held)
	}
	do("DeleteBranch", r.DeleteBranch(ctx, "ralph/spare", f.base))
	do("StartBranch", r.StartBranch(ctx, "aside", f.base))
	_, err = r.SetBranchAside(ctx, "aside", time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC))
	do("SetBranchAside", err)
	do("Detach", r.Detach(ctx, wt))
	do("Switch", r.Switch(ctx, wt, "ralph/z", f.base))
	do("Heal", r.Heal(ctx, Worktree{Path: wt, Branch: "ralph/z", Commit: f.base}))
	f.write(wt, "a.txt", "alpha\nours\n")
	ours, _, err := both(r.Commit(ctx, wt, Message{Text: "ours"}, CommitOptions{Branch: "ralph/z"}))
	do("Commit", err)
	theirs := f.mergeable(r)
	merged, err := r.Merge(ctx, ours, theirs, Message{Text: "merge"})
	do("Merge", err)
	_, _, err = r.MergeMarked(ctx, ours, theirs, Message{Text: "merge"})
	do("MergeMarked", err)
	for _, s := range []Strategy{SquashWork, RebaseWork} {
		_, err = r.Shape(ctx, s, ours, theirs, merged.Commit, Message{Text: "shape"})
		do("Shape", err)
	}
	_, err = r.Apply(ctx, ours, ours, theirs, Message{Text: "apply"})
	do("Apply", err)
	do("CreateBranch", r.CreateBranch(ctx, "accepted", theirs))
	do("DropAccepted", r.DropAccepted(ctx, "x", "refs/heads/accepted", theirs, ours))
	do("CreateBranch", r.CreateBranch(ctx, "release", f.base))
	do("AdvanceBranch", r.AdvanceBranch(ctx, "release", merged.Commit, f.base))
	do("AdvanceOver", r.AdvanceOver(ctx, "release", merged.Commit, f.base, f.base))
	_, err = r.OnlyCommit(ctx, gate)
	do("OnlyCommit", err)
	do("RetireWorktree", r.RetireWorktree(ctx, f.root, gate))
	do("DiscardWorktree", nil) // which RetireWorktree ends with
	do("Sync", r.Sync())
	f.write(f.dir, "inplace.txt", "x\n")
	_, _, err = both(r.Commit(ctx, "", Message{Text: "in place"}, CommitOptions{Branch: "ralph/inplace", InPlace: true}))
	do("Commit", err)
	os.Remove(filepath.Join(f.dir, "inplace.txt"))
	_, err = r.CaptureFilters(ctx)
	do("CaptureFilters", err)
	do("CheckFilters", r.CheckFilters(ctx, Filters{Drivers: map[string]Filter{"evil": {Clean: filepath.Join(f.home, "evil-clean")}}}))
	do("WithFilters", nil)
	if r.AdminDir(wt) == "" || len(r.TreePaths()) == 0 {
		t.Error("a worktree of ours is not found by its files")
	}
	do("AdminDir", nil)
	do("TreePaths", nil)
	loan := r.QuarantineDir("ralph-x")
	do("QuarantineDir", nil)
	do("OpenQuarantine", r.OpenQuarantine(ctx, wt, loan, "ralph/x"))
	do("QuarantineWritable", errors.Join(map[bool]error{true: errors.New("there are no submodules")}[len(r.QuarantineWritable(wt)) > 0]))
	f.write(wt, "lent.txt", "x\n")
	// The agent's own git may fall into the traps: that is its affair.
	ran := filepath.Join(f.home, "ran")
	before, err := os.ReadFile(ran)
	f.tryGit(wt, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "add", "lent.txt")
	os.Remove(ran)
	if err == nil {
		do("OpenQuarantine", os.WriteFile(ran, before, 0o600))
	}
	_, err = r.ImportQuarantine(ctx, wt, loan, "ralph/z")
	do("ImportQuarantine", err)
	do("Verify", r.Verify(ctx, f.base, ""))
	_, err = r.Runs(ctx)
	do("Runs", err)
	_, err = r.FirstCommit(ctx, f.base)
	do("FirstCommit", err)
	_, err = r.Reclaim(ctx, Claim{Branch: "ralph/z", Own: f.base, Aside: ExtraRefs + "z/moved"})
	do("Reclaim", err)
	r.WithFilters(Filters{})
	return called
}

// mergeable changes a.txt at its other end.
func (f *fixture) mergeable(r *Repo) string {
	f.t.Helper()
	wt := filepath.Join(f.root, "theirs")
	if err := r.AddWorktree(f.ctx(), Worktree{Path: wt, Branch: "theirs", Commit: f.base}); err != nil {
		f.t.Fatal(err)
	}
	f.write(wt, "dir/b.txt", "theirs\n")
	f.write(wt, "dir/c.txt", "theirs\n")
	c, _, err := both(r.Commit(f.ctx(), wt, Message{Text: "theirs"}, CommitOptions{}))
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func TestNothingThatARepositoryConfiguresRuns(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	marker := hostile(f)
	// The traps are live: the user's own git falls into them.
	f.tryGit(f.dir, "status")
	f.tryGit(f.dir, "diff", "HEAD")
	if b, err := os.ReadFile(marker); err != nil || !strings.Contains(string(b), "included2") {
		t.Fatalf("the hostile repository runs nothing: %q, %v", b, err)
	}
	f.git("config", "core.fsmonitor", "false") // for the test's own look
	f.git("config", "--unset", "include.path")
	before := f.user()
	f.git("config", "include.path", filepath.Join(f.home, "included"))
	f.git("config", "core.fsmonitor", filepath.Join(f.home, "evil-fsmonitor"))
	os.Remove(marker)

	// CaptureFilters would hand out the evil filters as the user's own, which at
	// the start of a loop they are; what matters is that nobody asked to run them.
	called := exercise(f)
	if b, err := os.ReadFile(marker); err == nil {
		t.Errorf("ran:\n%s", b)
	}
	f.git("config", "core.fsmonitor", "false")
	f.git("config", "--unset", "include.path")
	os.Remove(filepath.Join(f.dir, "inplace.txt"))
	if diff := cmp.Diff(before, f.user()); diff != "" {
		t.Errorf("the user's state changed (-before +after):\n%s", diff)
	}
	for m := range reflect.TypeFor[*Repo]().Methods() {
		if !called[m.Name] {
			t.Errorf("Repo.%s is not part of this test", m.Name)
		}
	}
}
