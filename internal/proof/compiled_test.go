package proof

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCompiledCodeThatShadows: byte code, and a library of the name of a module, are set
// aside.
func TestCompiledCodeThatShadows(t *testing.T) {
	t.Parallel()
	k, _ := change("python3 -m unittest", tree{"a.py": "x", "p/__init__.py": "x", "test_a.py": "x"}, tree{
		"__pycache__/a.cpython-311.pyc": "x", "b.pyc": "x", "a.cpython-311-x86_64-linux-gnu.so": "x", "p.so": "x", "native/fast.so": "x", "data.bin": "x",
	})
	got, err := k.Judges()
	want := []string{"__pycache__/a.cpython-311.pyc", "a.cpython-311-x86_64-linux-gnu.so", "b.pyc", "p.so"}
	if d := cmp.Diff(want, got.SetAside); d != "" || err != nil {
		t.Error(err, d)
	}
}

// TestCompiledCodeIsNamed: files of code that cannot be searched are named, by their
// ending or by how they begin.
func TestCompiledCodeIsNamed(t *testing.T) {
	t.Parallel()
	k, s := change("x", tree{"old.so": "x", "kept.a": "x", "tests/data.pkl": "x"}, tree{
		"old.so": "y", "lib/fast.so.1": "x", "a_amd64.syso": "x", "table.pkl": "x", "tool": "exec:\x7fELF\x02", "model": "\x80\x04\x95abc",
		"logo.png": "\x89PNG", "notes.md": "MZ\x90\x00", "tests/data.pkl": "y", "words.dat": "plain text",
	})
	found, all, err := Suspects(k.Base, k.Work, Duties{}, s.read)
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
