package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A folder that begins with a dot may be written, also where it is a link: but not
// into what is protected, a person's work or the system.
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
	c := p.claims()
	for path, want := range marked(
		[]string{"home/code/x", "home/repo/gemini/x", "home/own/tree/x", "disk/x", "home/dotfiles/x", "home/dotfiles/bashrc", "home/dotfiles/claude2", "x"},
		[]string{"disk/cache/x", "disk/npm/x", "home/dotfiles/claude/x", "home/dotfiles/share/x", "home/.real/x"},
	) {
		if got := writes(c, at(path)); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	closed := map[string]Unmet{}
	for _, u := range p.Unmet() {
		closed[u.Path] = u
	}
	want := map[string]Unmet{}
	for name, u := range map[string]Unmet{
		".codex":           {Why: "it leads to " + at("home/code") + ", a folder of your work", Do: "list " + at("home/code") + " in sandbox_write"},
		".gemini":          {Why: "it leads to " + at("home/repo/gemini") + ", in a repository of yours", Do: "list " + at("home/repo/gemini") + " in sandbox_write"},
		".opencode":        {Why: "it leads to " + at("home/own/tree") + ", which is protected", Do: "move it to a place of its own"},
		".config/opencode": {Why: "it leads to /usr/share, a folder of the system", Do: "list /usr/share in sandbox_write"},
	} {
		u.Path = at("home/" + name)
		want[u.Path] = u
	}
	if diff := cmp.Diff(want, closed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	p.Write = []string{at("home/code"), at("home/repo")}
	if !writes(p.claims(), at("home/code/x")) {
		t.Error("what a person names is not opened")
	}
	for _, u := range p.Unmet() {
		if u.Path == at("home/.codex") || u.Path == at("home/.gemini") {
			t.Errorf("it is open, and said not to be: %v", u)
		}
	}
}
