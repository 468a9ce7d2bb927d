package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/sandbox/room"
)

// TestPrivateSettings: settings need no protection where a layer takes what is written
// to them, and keep it where the room shows the user's own directory.
func TestPrivateSettings(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{".ssh", ".config/git", ".config/fish", ".local/bin", ".vim", ".tools/.git", "repo"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(home, name) }
	layer := room.Mount{Kind: room.Overlay, At: home}
	through := func(name string) room.Mount { return room.Mount{Kind: room.Bind, At: at(name)} }
	settings := []string{".ssh", ".config/git", ".config/fish", ".vim", ".tools/.git"}
	for name, c := range map[string]struct {
		view *room.Spec
		want []string // of the settings
	}{
		"no room":                   {nil, settings},
		"another layer":             {&room.Spec{Mounts: []room.Mount{{Kind: room.Overlay, At: at("repo")}}}, settings},
		"layer":                     {&room.Spec{Mounts: []room.Mount{layer}}, nil},
		"a directory around them":   {&room.Spec{Mounts: []room.Mount{layer, through(".config")}}, []string{".config/git", ".config/fish"}},
		"one of them":               {&room.Spec{Mounts: []room.Mount{layer, through(".vim")}}, []string{".vim"}},
		"a part of one":             {&room.Spec{Mounts: []room.Mount{layer, through(".config/git/x")}}, []string{".config/git"}},
		"emptied below the user's":  {&room.Spec{Mounts: []room.Mount{layer, through(".config"), {Kind: room.Empty, At: at(".config/git")}}}, []string{".config/fish"}},
		"read-only in the layer":    {&room.Spec{Mounts: []room.Mount{layer, {Kind: room.ReadOnly, At: at(".ssh")}}}, []string{".ssh"}},
		"a name that begins alike":  {&room.Spec{Mounts: []room.Mount{layer, through(".vi")}}, nil},
		"the user's over the layer": {&room.Spec{Mounts: []room.Mount{layer, {Kind: room.Bind, At: home}}}, settings},
	} {
		p := Profile{Env: []string{"HOME=" + home, "PATH=" + at(".local/bin")}, Protected: []string{at("repo")}}.In(c.view)
		locked := p.locked()
		for _, path := range []string{".local/bin", "repo"} {
			if !slices.Contains(locked, at(path)) {
				t.Errorf("%s: %s is not protected", name, path)
			}
		}
		for _, path := range settings {
			if got, want := slices.Contains(locked, at(path)), slices.Contains(c.want, path); got != want {
				t.Errorf("%s: %s protected: %v", name, path, got)
			}
		}
		leave, err := p.CreatePlaceholders()
		if err != nil {
			t.Fatal(err)
		}
		_, err = os.Lstat(at(".zshenv"))
		if there, want := err == nil, slices.Equal(c.want, settings); there != want {
			t.Errorf("%s: a placeholder in the home: %v", name, there)
		}
		leave()
	}
}

// TestLayerIsHeldByMounts: Landlock opens a layer as a whole, so that new names can be made
// anywhere in it, and mounts hold what is read-only there.
func TestLayerIsHeldByMounts(t *testing.T) {
	t.Parallel()
	home, p := folders(t, ".local/bin", "letters", "trees/own/.git", ".cache")
	at := func(name string) string { return filepath.Join(home, name) }
	p.Env = append(p.Env, "PATH="+at(".local/bin"))
	p.Protected, p.Grants, p.ReadOnly = []string{at("trees")}, []string{at("trees/own")}, []string{at("trees/own/.git")}
	if w := p.landlock(); slices.Contains(w.Dirs, home) || len(p.HoldMounts()) > 0 {
		t.Errorf("without a layer: %q, %+v", w.Dirs, p.HoldMounts())
	}
	p = p.In(&room.Spec{Mounts: []room.Mount{{Kind: room.Overlay, At: home}}})
	if w := p.landlock(); !slices.Contains(w.Dirs, home) {
		t.Errorf("the layer is not open: %q", w.Dirs)
	}
	kinds := map[string]room.Kind{}
	for _, m := range p.HoldMounts() {
		kinds[m.At] = m.Kind
	}
	want := map[string]room.Kind{at(".local"): room.Bind, at(".local/bin"): room.ReadOnly, at("letters"): room.ReadOnly, at("trees"): room.ReadOnly, at("trees/own"): room.Bind}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
}
