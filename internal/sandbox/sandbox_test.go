package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// A kit without bubblewrap on its PATH keeps nobody from the network.
func TestNoNetworkFailsClosed(t *testing.T) {
	t.Parallel()
	k := &Kit{Env: []string{"PATH=/nowhere"}}
	if _, _, err := k.Enter(t.Context(), loop.HeldLandlock, Profile{NoNetwork: true}); !errors.Is(err, ErrNoNetworkOff) {
		t.Error(err)
	}
	if _, err := k.Choose(t.Context(), loop.SandboxBubblewrap, false); err == nil {
		t.Error("bubblewrap was asked for, and is not there")
	}
	if _, err := k.Choose(t.Context(), loop.SandboxLandlock, true); err == nil {
		t.Error("Landlock cannot hold an agent in place")
	}
	if by, err := k.Choose(t.Context(), loop.SandboxAuto, true); err != nil || by != loop.HeldNone {
		t.Errorf("%s, %v", by, err)
	}
}

// folders makes them below a new home, and answers a profile of it.
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

// writes says what the deepest claim allows.
func writes(c claims, path string) bool {
	if x := slices.IndexFunc(c, func(x claim) bool { return x.path == path }); x >= 0 {
		return c[x].write
	}
	roof, ok := c.over(path)
	return ok && roof.write
}

func TestClaims(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".cache", ".ssh", "go", "work/repo/.git", ".local/state/ralph/trees/agent-1", ".local/bin")
	in := func(n string) string { return filepath.Join(home, n) }
	p.Protected, p.Grants = []string{in("work/repo"), in(".local/state/ralph")}, []string{in(".local/state/ralph/trees/agent-1")}
	p.Write = []string{in("work/repo/.git"), in("work")}
	if err := os.Symlink(in("work/repo/.git"), in(".sneaky")); err != nil {
		t.Fatal(err)
	}
	p.Env = append(p.Env, "GOCACHE="+in(".sneaky"))
	c := p.claims()
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

// Programs are locked wherever PATH names them, and by whatever name.
func TestProgramsAreLocked(t *testing.T) {
	t.Parallel()
	// What lies among temporary files is locked for another reason.
	root, err := os.MkdirTemp("/dev/shm", "sandbox-test-") //nolint:usetesting // see above
	if err != nil {
		t.Skip("no folder here outside of those for temporary files: ", err)
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
	c := p.claims()
	for path, want := range map[string]bool{
		filepath.Join(home, ".cargo/bin/cargo"): false, filepath.Join(home, ".cargo/registry"): true,
		filepath.Join(data, "bin/cargo"): false, filepath.Join(data, "registry"): true, filepath.Join(home, ".cache/x"): true,
	} {
		if got := writes(c, path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// Where the folders of a home cannot be listed, it is not opened as a whole.
func TestHomeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	home, p := folders(t, "work")
	if err := os.Chmod(home, 0o300); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
	if _, err := os.ReadDir(home); err == nil {
		t.Skip("who runs this can read every folder")
	}
	if writes(p.claims(), filepath.Join(home, "work/x")) {
		t.Error("the person's work can be written")
	}
}

// With Landlock a folder with something locked in it is opened entry by entry.
func TestWalls(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".cache", ".local/share", ".local/state/ralph", ".ssh")
	p.Protected = []string{filepath.Join(home, ".local/state/ralph")}
	w := p.walls()
	has := func(n string) bool { return slices.Contains(w.Dirs, filepath.Join(home, n)) }
	if !has(".cache") || !has(".local/share") || has(".local") || has(".local/state") || has(".ssh") || slices.Contains(w.Dirs, home) {
		t.Error(strings.Join(w.Dirs, "\n"))
	}
}
