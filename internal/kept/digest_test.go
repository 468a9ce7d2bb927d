//go:build unix

package kept

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSame(t *testing.T) {
	t.Parallel()
	const digest = "2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df" // of "ok"
	dir := t.TempDir()
	file := filepath.Join(dir, "attempts", "001", "gates", "tests.log")
	if Same(file, digest) {
		t.Error("a file that is not there is the same")
	}
	put(t, dir, "attempts/001/gates/tests.log", "ok")
	if !Same(file, digest) {
		t.Error("the file is not the same")
	}
	if err := Pack(dir, "attempts"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil || !Same(file, digest) {
		t.Error("a packed file is not the same")
	}
	put(t, dir, "attempts/001/gates/tests.log", "OK")
	if Same(file, digest) {
		t.Error("a file that changed is the same")
	}
}
