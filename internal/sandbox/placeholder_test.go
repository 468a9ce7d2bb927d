package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything lists what lies below a folder; folders end in a slash.
func everything(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			name += "/"
		}
		out = append(out, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Secrets that do not exist cannot be created, and leave nothing behind.
func TestAbsentSecrets(t *testing.T) {
	t.Parallel()
	for name, dirs := range map[string][]string{"fresh": nil, "used": {".config", ".local/share", ".ssh", "go"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, p := folders(t, dirs...)
			p.Env = append(p.Env, "PATH="+filepath.Join(home, ".cargo/bin"), "GIT_CONFIG_GLOBAL="+filepath.Join(home, ".cache/gitconfig"))
			before := everything(t, home)
			leave, err := p.CreatePlaceholders()
			if err != nil {
				t.Fatal(err)
			}
			c, w := p.rules(), p.landlock()
			for _, s := range []string{
				".config/git/config", ".config/ralph/config.yaml", ".config/systemd/user/a.service", ".config/autostart/a.desktop", ".config/environment.d/a.conf",
				".config/fish/config.fish", ".local/bin/git", ".local/share/systemd/user/a.service", ".local/state/ralph/x", ".ssh/authorized_keys", ".gnupg/gpg.conf",
				"bin/x", ".cargo/bin/git", ".gitconfig", ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshenv", ".xprofile", ".pam_environment", ".cache/gitconfig",
			} {
				path := filepath.Join(home, s)
				if writes(c, path) {
					t.Errorf("%s can be made under bubblewrap", s)
				}
				if slices.ContainsFunc(append(w.Dirs, w.Files...), func(d string) bool { return within(path, d) }) {
					t.Errorf("%s can be made under Landlock", s)
				}
			}
			for _, s := range []string{".claude.json", ".cache/x", ".npm/x", ".config/opencode/x", ".cargo/registry"} {
				if !writes(c, filepath.Join(home, s)) {
					t.Errorf("%s cannot be written", s)
				}
			}
			leave()
			if diff := cmp.Diff(before, everything(t, home)); diff != "" {
				t.Error("something was left behind, or removed: " + diff)
			}
		})
	}
}

// Placeholders stay as long as one of several processes needs them; those of a
// killed ralph are removed with the next one's.
func TestPlaceholdersAreShared(t *testing.T) {
	t.Parallel()
	home, p := folders(t)
	first, err := p.CreatePlaceholders()
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.CreatePlaceholders()
	if err != nil {
		t.Fatal(err)
	}
	all := everything(t, home)
	first()
	if diff := cmp.Diff(all, everything(t, home)); diff != "" || len(all) == 0 {
		t.Error("the second process lost: " + diff)
	}
	second()
	if left := everything(t, home); len(left) != 0 {
		t.Error(left)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				leave, err := p.CreatePlaceholders()
				if err != nil {
					t.Error(err)
					return
				}
				for _, s := range p.secrets() {
					if !s.isPlaceholder() {
						t.Errorf("no placeholder at %s", s.path)
					}
				}
				leave()
			}
		})
	}
	wg.Wait()
	if left := everything(t, home); len(left) != 0 {
		t.Error(left)
	}
}

// Files that the user has, or creates meanwhile, are never removed.
func TestPlaceholdersReplaceNothing(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".gnupg", ".ssh/keys")
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(".bashrc", "")
	leave, err := p.CreatePlaceholders()
	if err != nil {
		t.Fatal(err)
	}
	put(".gitconfig", placeholderNote+"[user]\n\tname = Nina\n")
	put(".config/git/config", "")
	put("bin/mine", "")
	if err := os.Rename(filepath.Join(home, ".bashrc"), filepath.Join(home, ".zshrc")); err != nil {
		t.Fatal(err)
	}
	leave()
	want := []string{".config/", ".config/git/", ".config/git/config", ".gitconfig", ".gnupg/", ".ssh/", ".ssh/keys/", ".zshrc", "bin/", "bin/mine"}
	if diff := cmp.Diff(want, everything(t, home)); diff != "" {
		t.Error(diff)
	}
}

// Nothing is created in a home that cannot be written, nor in the process's tree.
func TestNoPlaceholders(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".local/state/trees/a")
	tree := filepath.Join(home, ".local/state/trees/a")
	p.Grants, p.Env = []string{tree}, []string{"HOME=/", "PATH=" + strings.Join([]string{tree + "/bin", "rel", "/", "/nowhere/bin"}, ":")}
	before := everything(t, home)
	leave, err := p.CreatePlaceholders()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if diff := cmp.Diff(before, everything(t, home)); diff != "" {
		t.Error(diff)
	}
}

// A path that does not exist yet is judged by its parent; a dangling link is not
// judged at all.
func TestFuture(t *testing.T) {
	t.Parallel()
	home, _ := folders(t, "there/dir")
	for link, target := range map[string]string{"link": "there", "dangling": "nowhere", "there/up": ".."} {
		if err := os.Symlink(target, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"there/dir":         "there/dir",
		"there/new/file":    "there/new/file",
		"link":              "there",
		"link/dir":          "there/dir",
		"link/new/file":     "there/new/file",
		"there/up/link/dir": "there/dir",
		"dangling":          "",
		"dangling/file":     "",
	} {
		got, ok := future(filepath.Join(home, path))
		if ok != (want != "") || ok && got != filepath.Join(home, want) {
			t.Errorf("%s: %s, %t", path, got, ok)
		}
	}
	if got, ok := future("relative"); ok {
		t.Error(got)
	}
	if got, ok := future("/"); got != "/" || !ok {
		t.Error(got, ok)
	}
}
