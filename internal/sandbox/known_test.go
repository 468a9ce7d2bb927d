package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKnownPaths: a scanned profile resolves every path as one that was not scanned, also
// a path that is made later.
func TestKnownPaths(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"home/a/b", "other/c"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"home/out": "../other", "home/a/up": "..", "home/gone": "missing", "home/loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "home/file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := Profile{Env: []string{"HOME=" + filepath.Join(dir, "home")}}
	scanned := p.Scan()
	look := func() {
		t.Helper()
		for _, name := range []string{
			"home", "home/a/b", "home/out", "home/out/c", "home/a/up/out/c", "home/gone", "home/loop", "home/file", "home/file/x",
			"home/a/../out/c", "home/out/../file", "home/later", "home/out/later", "", ".",
		} {
			path := filepath.Join(dir, name)
			want, wantOK := p.real(path)
			for range 2 {
				if got, ok := scanned.real(path); got != want || ok != wantOK {
					t.Errorf("%s: %q, %v; want %q, %v", name, got, ok, want, wantOK)
				}
			}
		}
	}
	look()
	for _, d := range []string{"home/later", "other/later"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	look()
	if _, ok := scanned.real("relative"); ok {
		t.Error("a relative path was resolved")
	}
	if p.home() == "" || p.home() != scanned.home() {
		t.Errorf("home: %q, %q", p.home(), scanned.home())
	}
}
