//go:build unix

package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func takeTree(t *testing.T, s *Store, l *LoopLease, kind, setup string) Tree {
	t.Helper()
	tree, err := l.Trees().Take(t.Context(), kind, setup, "/w")
	must(t, err)
	return tree
}

func TestTreesAreHandedRound(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	a, b := create(t, s, "a"), create(t, s, "b")
	want := func(got Tree, path string, fresh bool) {
		t.Helper()
		if got.Path != path || got.Fresh != fresh {
			t.Errorf("got %s, fresh %v; want %s, %v", got.Path, got.Fresh, path, fresh)
		}
	}
	want(takeTree(t, s, a, "agent", "s1"), "/w/agent-1", true)
	want(takeTree(t, s, a, "agent", "s1"), "/w/agent-1", true) // its maker died before Ready
	must(t, a.Trees().Ready(t.Context(), "/w/agent-1"))
	want(takeTree(t, s, a, "agent", "s1"), "/w/agent-1", false)
	want(takeTree(t, s, a, "gate", "s1"), "/w/gate-1", true)
	want(takeTree(t, s, b, "agent", "s1"), "/w/agent-2", true)
	if err := b.Trees().Ready(t.Context(), "/w/agent-1"); err == nil {
		t.Error("a tree of another loop was made ready")
	}
	must(t, b.Trees().Return(t.Context(), "/w/agent-1")) // not b's: nothing happens
	must(t, a.Trees().Return(t.Context(), "/w/agent-1"))

	must(t, b.Trees().Return(t.Context(), "/w/agent-2")) // never made
	want(takeTree(t, s, b, "agent", "s1"), "/w/agent-1", false)
	c := create(t, s, "c")
	want(takeTree(t, s, c, "agent", "other"), "/w/agent-3", true)
	want(takeTree(t, s, c, "agent", "s1"), "/w/agent-2", true)
	held, err := c.Trees().Held(t.Context())
	must(t, err)
	wantHeld := []Tree{
		{Path: "/w/agent-2", Kind: "agent", Setup: "s1", Fresh: true, Loop: "c"},
		{Path: "/w/agent-3", Kind: "agent", Setup: "other", Fresh: true, Loop: "c"},
	}
	if diff := cmp.Diff(wantHeld, held); diff != "" {
		t.Error(diff)
	}
	must(t, b.Trees().Gone(t.Context(), "/w/agent-1")) // deleted: it is made again
	want(takeTree(t, s, b, "agent", "s1"), "/w/agent-1", true)
	drop := func(path string, want bool) {
		t.Helper()
		if free, err := s.DropTree(t.Context(), path); err != nil || free != want {
			t.Errorf("drop %s: %v, %v", path, free, err)
		}
	}
	drop("/w/agent-3", false) // c has it
	must(t, c.Trees().Return(t.Context(), "/w/agent-3"))
	drop("/w/agent-3", true)
	drop("/w/agent-3", false)

	trees, err := s.Trees(t.Context())
	must(t, err)
	var got []string
	for _, tree := range trees {
		got = append(got, tree.Path+" "+tree.Loop)
	}
	if diff := cmp.Diff([]string{"/w/agent-1 b", "/w/agent-2 c", "/w/gate-1 a"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOneWriterInPlace(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	tree := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(tree, link))
	a, b := create(t, s, "a"), create(t, s, "b")
	must(t, a.Trees().Lock(t.Context(), tree))
	must(t, a.Trees().Lock(t.Context(), tree))
	for _, path := range []string{tree, link, tree + "/."} {
		if err := b.Trees().Lock(t.Context(), path); !as[*HeldError](err) {
			t.Errorf("Lock(%s): %v", path, err)
		}
	}
	must(t, b.Trees().Lock(t.Context(), t.TempDir()))
	if err := b.Trees().Lock(t.Context(), takeTree(t, s, a, "agent", "").Path); err == nil {
		t.Error("a worktree of the pool was locked in place")
	}
	must(t, a.Trees().Return(t.Context(), link))
	must(t, b.Trees().Lock(t.Context(), tree))

	must(t, endWith(t.Context(), b, loop.StatusFailed, loop.Stuck))
	must(t, a.Trees().Lock(t.Context(), tree)) // an ended loop has nothing
	must(t, a.Release(t.Context()))
	c := create(t, s, "c")
	must(t, c.Trees().Lock(t.Context(), tree)) // nor a dead owner
	must(t, c.Owned(t.Context()))
}
