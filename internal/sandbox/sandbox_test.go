package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// Without bubblewrap on PATH no process can be cut off the network.
func TestNoNetworkFailsClosed(t *testing.T) {
	t.Parallel()
	k := &Capabilities{Env: []string{"PATH=/nowhere"}}
	if _, _, err := k.Sandbox(t.Context(), loop.HeldLandlock, Profile{NoNetwork: true}); !errors.Is(err, errNoNetworkOff) {
		t.Error(err)
	}
	if _, err := k.Choose(t.Context(), loop.SandboxBubblewrap, false); err == nil {
		t.Error("bubblewrap was requested and is not installed")
	}
	if _, err := k.Choose(t.Context(), loop.SandboxLandlock, true); err == nil {
		t.Error("Landlock cannot sandbox an agent in place")
	}
	if by, err := k.Choose(t.Context(), loop.SandboxAuto, true); err != nil || by != loop.HeldNone {
		t.Errorf("%s, %v", by, err)
	}
}

// folders creates folders below a new home and returns its profile.
func folders(t *testing.T, names ...string) (home string, p Profile) {
	t.Helper()
	return foldersIn(t, t.TempDir(), names...)
}

func foldersIn(t *testing.T, root string, names ...string) (home string, p Profile) {
	t.Helper()
	home, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if err := os.MkdirAll(filepath.Join(home, n), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return home, Profile{Env: []string{"HOME=" + home}}
}

// writes reports whether the deepest rule allows writing.
func writes(c rules, path string) bool {
	if x := slices.IndexFunc(c, func(x rule) bool { return x.path == path }); x >= 0 {
		return c[x].write
	}
	roof, ok := c.parent(path)
	return ok && roof.write
}

func TestRules(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".cache", ".ssh", "go", "work/repo/.git", ".local/state/ralph/trees/agent-1", ".local/bin")
	in := func(n string) string { return filepath.Join(home, n) }
	p.Protected, p.Grants = []string{in("work/repo"), in(".local/state/ralph")}, []string{in(".local/state/ralph/trees/agent-1")}
	p.Write = []string{in("work/repo/.git"), in("work")}
	if err := os.Symlink(in("work/repo/.git"), in(".sneaky")); err != nil {
		t.Fatal(err)
	}
	p.Env = append(p.Env, "GOCACHE="+in(".sneaky"))
	c := p.rules()
	for path, want := range map[string]bool{
		".cache": true, ".cache/x": true, ".new": true, "go/pkg": true, ".ssh/id": false, ".local/bin/git": false, ".local/share/x": true,
		"work/other": true, "work/repo": false, "work/repo/.git/config": false, ".local/state/ralph/x": false, ".local/state/ralph/trees/agent-2": false,
		".local/state/ralph/trees/agent-1/f": true,
	} {
		if got := writes(c, in(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, pin := range []string{".local", ".local/state", "work"} {
		if !c.pins().has(in(pin)) && !c.has(in(pin)) {
			t.Errorf("%s can be moved away", pin)
		}
	}
}

// Programs are read-only wherever PATH names them, and by any name.
func TestProgramsAreLocked(t *testing.T) {
	t.Parallel()
	// Temporary files are read-only for another reason.
	root, err := os.MkdirTemp("/dev/shm", "sandbox-test-") //nolint:usetesting // see above
	if err != nil {
		tier.SkipLacking(t, "a folder outside of those for temporary files", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	home, p := foldersIn(t, root, "home/.cargo/bin", "home/.cache", "data/bin")
	data, alias := filepath.Join(home, "data"), filepath.Join(home, "alias")
	home = filepath.Join(home, "home")
	if err := os.Symlink(home, alias); err != nil {
		t.Fatal(err)
	}
	p.Env = append(p.Env, "CARGO_HOME="+data, "PATH="+strings.Join([]string{
		filepath.Join(alias, ".cargo/bin"), filepath.Join(data, "bin"), home, filepath.Dir(home), "/", "relative", "",
	}, ":"))
	p.Env[0] = "HOME=" + alias
	c := p.rules()
	for path, want := range map[string]bool{
		filepath.Join(home, ".cargo/bin/cargo"): false, filepath.Join(home, ".cargo/registry"): true,
		filepath.Join(data, "bin/cargo"): false, filepath.Join(data, "registry"): true, filepath.Join(home, ".cache/x"): true,
	} {
		if got := writes(c, path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// A home whose folders cannot be listed stays closed as a whole.
func TestHomeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	home, p := folders(t, "work")
	if err := os.Chmod(home, 0o300); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
	if _, err := os.ReadDir(home); err == nil {
		tier.SkipLacking(t, "an ordinary user", "root reads every folder")
	}
	if writes(p.rules(), filepath.Join(home, "work/x")) {
		t.Error("the user's work can be written")
	}
}

// Landlock opens a folder with a read-only entry in it entry by entry.
func TestLandlock(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".cache", ".local/share", ".local/state/ralph", ".ssh")
	p.Protected = []string{filepath.Join(home, ".local/state/ralph")}
	w := p.landlock()
	has := func(n string) bool { return slices.Contains(w.Dirs, filepath.Join(home, n)) }
	if !has(".cache") || !has(".local/share") || has(".local") || has(".local/state") || has(".ssh") || slices.Contains(w.Dirs, home) {
		t.Error(strings.Join(w.Dirs, "\n"))
	}
}
