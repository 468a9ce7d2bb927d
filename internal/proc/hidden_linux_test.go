package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/testing/tier"
)

// TestLandlockHides: what is hidden cannot be read, by no name; what is shown in it
// can, and so can everything beside it.
func TestLandlockHides(t *testing.T) {
	t.Parallel()
	if LandlockABI() < 3 {
		tier.SkipLacking(t, "Landlock")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(home, name) }
	for _, name := range []string{"keys/id", "keys/hosts", "login", "work/file"} {
		if err := os.MkdirAll(filepath.Dir(in(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(in(name), []byte(name+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../keys/id", in("work/link")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := spec(t, "sh", "-c", "cat keys/id login work/link /proc/self/cwd/keys/id keys/hosts work/file 2>/dev/null; ls keys")
	s.Dir = home
	s.Sandbox = &Sandbox{Landlock: &LandlockRules{Files: []string{"/dev/null"}, Hidden: []string{in("keys"), in("login")}, Shown: []string{in("keys/hosts")}}}
	s.Stdout = &out
	if e := wait(t, start(t, s)); !e.OK() {
		t.Fatalf("%+v: %s", e, &out)
	}
	if got, want := out.String(), "keys/hosts\nwork/file\nhosts\nid\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
