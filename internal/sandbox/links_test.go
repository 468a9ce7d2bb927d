package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A folder that begins with a dot may be written, also through a link, but not
// into protected folders, the user's work or the system.
func TestLinksOfTheHome(t *testing.T) {
	t.Parallel()
	root, _ := folders(t, "home/dotfiles/claude", "home/dotfiles/share", "home/repo/.git", "home/repo/gemini", "home/code", "home/.config", "home/.real",
		"disk/cache", "disk/npm", "home/own/tree", "home/.local")
	at := func(name string) string { return filepath.Join(root, name) }
	for name, to := range map[string]string{
		".cache": at("disk/cache"), ".claude": "dotfiles/claude", ".codex": "code", ".gemini": "repo/gemini", ".npm": at("disk/npm"),
		".opencode": at("home/own/tree"), ".config/opencode": "/usr/share", ".local/share": "../dotfiles/share", ".above": "..", ".alias": ".real",
		".nowhere": "gone", ".bashrc": "dotfiles/bashrc", "visible": at("disk"), ".everything": "/",
	} {
		if err := os.Symlink(to, at("home/"+name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"home/dotfiles/bashrc", "home/repo/.git/HEAD"} {
		if err := os.WriteFile(at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := Profile{Env: []string{"HOME=" + at("home")}, Protected: []string{at("home/own")}}
	c := p.rules()
	for path, want := range marked(
		[]string{"home/code/x", "home/repo/gemini/x", "home/own/tree/x", "disk/x", "home/dotfiles/x", "home/dotfiles/bashrc", "home/dotfiles/claude2", "x"},
		[]string{"disk/cache/x", "disk/npm/x", "home/dotfiles/claude/x", "home/dotfiles/share/x", "home/.real/x"},
	) {
		if got := writes(c, at(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	closed := map[string]Unwritable{}
	for _, u := range p.Unwritable() {
		closed[u.Path] = u
	}
	want := map[string]Unwritable{}
	for name, u := range map[string]Unwritable{
		".codex":           {Why: "it leads to " + at("home/code") + ", a folder of your work", Fix: "list " + at("home/code") + " in sandbox_write"},
		".gemini":          {Why: "it leads to " + at("home/repo/gemini") + ", in one of your repositories", Fix: "list " + at("home/repo/gemini") + " in sandbox_write"},
		".opencode":        {Why: "it leads to " + at("home/own/tree") + ", which is protected", Fix: "move it to a folder of its own"},
		".config/opencode": {Why: "it leads to /usr/share, a system folder", Fix: "list /usr/share in sandbox_write"},
	} {
		u.Path = at("home/" + name)
		want[u.Path] = u
	}
	if diff := cmp.Diff(want, closed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	p.Write = []string{at("home/code"), at("home/repo")}
	if !writes(p.rules(), at("home/code/x")) {
		t.Error("a listed path is not opened")
	}
	for _, u := range p.Unwritable() {
		if u.Path == at("home/.codex") || u.Path == at("home/.gemini") {
			t.Errorf("it is writable, and reported as read-only: %v", u)
		}
	}
}

func TestUnwritable(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(home, name) }
	for _, dir := range []string{"cache", "repo/.git", ".ssh"} {
		if err := os.MkdirAll(at(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("repo"), at("elsewhere")); err != nil {
		t.Fatal(err)
	}
	p := Profile{
		Env: []string{"HOME=" + home}, Protected: []string{at("repo")},
		Write: []string{at("cache"), at("gone"), "relative", "/", at("repo/.git"), at("elsewhere"), at(".ssh")},
	}
	want := []Unwritable{
		{at("gone"), "it does not exist", "change sandbox_write"},
		{"relative", "it does not begin with / or ~/", "change sandbox_write"},
		{"/", "it is the root folder", "change sandbox_write"},
		{at("repo/.git"), "it is protected", "change sandbox_write"},
		{at("elsewhere"), "it is protected", "change sandbox_write"},
		{at(".ssh"), "it is protected", "change sandbox_write"},
	}
	if diff := cmp.Diff(want, p.Unwritable()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
