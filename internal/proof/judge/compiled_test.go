package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestCompiledCodeThatShadows: byte code, and a library of the name of a module, are set
// aside.
func TestCompiledCodeThatShadows(t *testing.T) {
	t.Parallel()
	k, _ := change("python3 -m unittest", prooftest.Tree{"a.py": "x", "p/__init__.py": "x", "test_a.py": "x"}, prooftest.Tree{
		"__pycache__/a.cpython-311.pyc": "x", "b.pyc": "x", "a.cpython-311-x86_64-linux-gnu.so": "x", "p.so": "x", "native/fast.so": "x", "data.bin": "x",
	})
	got, err := k.Judges()
	want := []string{"__pycache__/a.cpython-311.pyc", "a.cpython-311-x86_64-linux-gnu.so", "b.pyc", "p.so"}
	if d := cmp.Diff(want, got.SetAside); d != "" || err != nil {
		t.Error(err, d)
	}
}
