package git

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestCheckWhole: a commit of which an object was written over is not whole; of a file git does
// not see it.
func TestCheckWhole(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", ":", ":dir", ":a.txt", ":dir/b.txt"} {
		f := newFixture(t)
		if err := f.CheckWhole(f.ctx(), f.base); err != nil {
			t.Fatal(err)
		}
		id := f.git("rev-parse", f.base+name)
		kind := f.git("cat-file", "-t", id)
		body := []byte("x")
		if kind != "blob" {
			body = []byte(f.git("cat-file", kind, id) + "\n")
			if kind == "tree" {
				body = nil
			}
		}
		path := filepath.Join(f.dir, ".git/objects", id[:2], id[2:])
		var forged bytes.Buffer
		z := zlib.NewWriter(&forged)
		fmt.Fprintf(z, "%s %d\x00%s\n", kind, len(body)+1, body)
		if kind == "tree" {
			forged.Reset()
			z = zlib.NewWriter(&forged)
			fmt.Fprint(z, "tree 0\x00")
		}
		if err := errors.Join(z.Close(), os.Chmod(path, 0o644), os.WriteFile(path, forged.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
		if err := f.CheckWhole(f.ctx(), f.base); err == nil || kind == "blob" && !errors.Is(err, ErrForged) {
			t.Errorf("%q: %v", name, err)
		}
	}
	f := newFixture(t)
	f.git("gc", "-q")
	if err := f.CheckWhole(f.ctx(), f.base); err != nil {
		t.Error(err)
	}
}
