package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ralph/internal/testing/tier"
)

// landlocked is a folder whose path has no links, where the kernel has Landlock.
func landlocked(t *testing.T) string {
	t.Helper()
	if LandlockABI() < 3 {
		tier.SkipLacking(t, "Landlock")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// TestLandlockHides: what is hidden cannot be read, by no name; what is shown in it
// can, and so can everything beside it.
func TestLandlockHides(t *testing.T) {
	t.Parallel()
	home := landlocked(t)
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

// TestLandlockRenames: compilers and package managers rename and link files from one
// folder into another. A file that may only be read gets no name where it may be
// written.
func TestLandlockRenames(t *testing.T) {
	t.Parallel()
	home := landlocked(t)
	for _, name := range []string{"work/a", "work/b", "beside"} {
		if err := os.MkdirAll(filepath.Join(home, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "beside/file"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = `echo one > work/a/one
ln work/a/one work/b/link || exit 1
mkdir work/a/folder
inode=$(stat -c %i work/a/folder)
mv work/a/folder work/b/folder
[ "$inode" = "$(stat -c %i work/b/folder)" ] || exit 2
ln beside/file work/link 2>/dev/null && exit 3
ln work/a/one beside/link 2>/dev/null && exit 4
cat work/b/link`
	for name, hidden := range map[string][]string{"nothing hidden": nil, "a hidden folder": {filepath.Join(home, "keys")}} {
		var out bytes.Buffer
		s := spec(t, "sh", "-c", "rm -rf work/a/* work/b/*; "+script)
		s.Dir = home
		s.Sandbox = &Sandbox{Landlock: &LandlockRules{Dirs: []string{filepath.Join(home, "work")}, Files: []string{"/dev/null"}, Hidden: hidden}}
		s.Stdout, s.Stderr = &out, &out
		if e := wait(t, start(t, s)); !e.OK() || out.String() != "one\n" {
			t.Errorf("%s: %+v: %s", name, e, &out)
		}
	}
}
