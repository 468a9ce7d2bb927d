package suspect

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestCompiledCodeIsNamed: files of code that cannot be searched are named, by their
// ending or by how they begin.
func TestCompiledCodeIsNamed(t *testing.T) {
	t.Parallel()
	k, s := change("x", prooftest.Tree{"old.so": "x", "kept.a": "x", "tests/data.pkl": "x"}, prooftest.Tree{
		"old.so": "y", "lib/fast.so.1": "x", "a_amd64.syso": "x", "table.pkl": "x", "tool": "exec:\x7fELF\x02", "model": "\x80\x04\x95abc",
		"logo.png": "\x89PNG", "notes.md": "MZ\x90\x00", "tests/data.pkl": "y", "words.dat": "plain text",
	})
	found, all, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
	if err != nil || !all {
		t.Fatal(all, err)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.Path)
	}
	if want := []string{"a_amd64.syso", "lib/fast.so.1", "model", "old.so", "table.pkl", "tool"}; !slices.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if text := found[0].String(); text != "a_amd64.syso "+hiddenCode {
		t.Error(text)
	}
}
