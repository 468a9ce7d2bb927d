//go:build linux

package local_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sound looks for anything that an ended loop must not leave.
func (w world) sound(t testing.TB, id string) {
	t.Helper()
	l, exists := w.show(t, id)
	if !exists || !terminal(l) || l.Live || l.Crashed {
		t.Fatalf("the loop has not ended: %+v", l.Facts)
	}
	if err := w.replay(t, l); err != nil {
		t.Error(err)
	}
	for _, p := range leftovers(id) {
		t.Errorf("still running: %s", p)
	}
	w.soundRepository(t)
	w.soundMemory(t)
}

func (w world) soundRepository(t testing.TB) {
	t.Helper()
	if out, err := gitIn(w.repo(), "fsck", "--strict", "--no-dangling", "--no-progress"); err != nil || out != "" {
		t.Errorf("fsck: %v %s", err, out)
	}
	// Every tree is back in the pool: detached, unlocked, its folder there.
	trees := strings.Split(w.git(t, "worktree", "list", "--porcelain"), "\n\n")
	for _, tree := range trees[1:] {
		if !strings.Contains(tree, "\ndetached") || strings.Contains(tree, "\nlocked") || strings.Contains(tree, "\nprunable") {
			t.Errorf("worktree not handed back:\n%s", tree)
		}
	}
	locks, _ := filepath.Glob(filepath.Join(w.repo(), ".git", "worktrees", "*", "*.lock"))
	more, _ := filepath.Glob(filepath.Join(w.repo(), ".git", "*.lock"))
	if locks = append(locks, more...); len(locks) > 0 {
		t.Errorf("locks: %v", locks)
	}
	if out := w.git(t, "stash", "list"); out != "" {
		t.Errorf("stash: %s", out)
	}
}

// soundMemory asks the store for damage, and for views that differ.
func (w world) soundMemory(t testing.TB) {
	t.Helper()
	s := w.memory(t)
	defer s.Close()
	problems, err := s.Problems(t.Context())
	must(t, err)
	for _, p := range problems {
		t.Error(p)
	}
	trees, err := s.Trees(t.Context())
	must(t, err)
	for _, tree := range trees {
		if tree.Loop != "" {
			t.Errorf("worktree %s is still %q's", tree.Path, tree.Loop)
		}
	}
}

// leftovers lists the living processes of a loop: those that carry its name in
// their environment or, as shims do, in their arguments.
func leftovers(id string) []string {
	var out []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		if pid, _ := strconv.Atoi(filepath.Base(dir)); pid == os.Getpid() {
			continue
		}
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if bytes.Contains(env, []byte("RALPH_LOOP_ID="+id)) || bytes.Contains(env, []byte("RALPH_RUN="+id)) || bytes.Contains(args, []byte(id)) {
			out = append(out, fmt.Sprintf("%s %q", filepath.Base(dir), bytes.ReplaceAll(args, []byte{0}, []byte(" "))))
		}
	}
	return out
}
